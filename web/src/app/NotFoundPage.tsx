import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";

export function NotFoundPage() {
  return (
    <Center mih="60vh">
      <Stack align="center" gap="sm">
        <Title order={1}>Nothing here</Title>
        <Text c="dimmed">This address leads nowhere. Perhaps the room was deleted, or it is private.</Text>
        <Button component={Link} to="/">
          All rooms
        </Button>
      </Stack>
    </Center>
  );
}
