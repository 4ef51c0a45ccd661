// A titled block of the settings page.
import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export function SettingsSection({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children: ReactNode;
}) {
  return (
    <Paper className="surface" p="md" radius="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mb="sm">
          {about}
        </Text>
      )}
      {children}
    </Paper>
  );
}
