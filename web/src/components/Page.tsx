import { Box, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { usePageTitle } from "@/lib/pageTitle";

/** A scrolling page with a title and action buttons. */
export function Page({
  title,
  subtitle,
  actions,
  children,
  wide = false,
}: {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}) {
  usePageTitle(title);
  return (
    <Box px={{ base: "md", sm: "xl" }} py="lg" maw={wide ? undefined : 1280} mx="auto" w="100%">
      <Group justify="space-between" mb="md" gap="sm" align="flex-end">
        <div style={{ minWidth: 0 }}>
          <Title order={1} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {subtitle && (
            <Text size="sm" c="dimmed" component="div" mt={4}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
