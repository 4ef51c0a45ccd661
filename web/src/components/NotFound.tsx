import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePageTitle } from "@/lib/pageTitle";

/** In the place of a page that cannot be opened: why, and a way to another one. */
export function NotFound({ title = "Page not found", children }: { title?: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1}>{title}</Title>
        <Text c="dimmed" ta="center" style={{ overflowWrap: "anywhere" }}>
          {children}
        </Text>
        <Button component={Link} to="/">
          All rooms
        </Button>
      </Stack>
    </Center>
  );
}
