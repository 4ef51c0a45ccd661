import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/CodeBlock";

/** Placeholder for an empty list: says what appears there, and how to create it. */
export function EmptyState({
  icon: Sign,
  title,
  children,
  code,
  action,
}: {
  icon: Icon;
  title: string;
  children?: ReactNode;
  code?: string;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" maw={560} mx="auto">
      <ThemeIcon size={44} radius="xl" variant="light">
        <Sign size={22} stroke={1.6} />
      </ThemeIcon>
      <Title order={3} ta="center">
        {title}
      </Title>
      {children && (
        <Text size="sm" c="dimmed" ta="center" component="div">
          {children}
        </Text>
      )}
      {code && (
        <div style={{ alignSelf: "stretch" }}>
          <CodeBlock code={code} />
        </div>
      )}
      {action}
    </Stack>
  );
}
