import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconAlertCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Brand } from "@/components/Brand";
import { api, Problem } from "@/lib/api/client";
import { guestKey } from "@/lib/api/guestKey";
import { useSession } from "@/lib/api/session";

export default function SignInPage() {
  useDocumentTitle("Sign in · Workroom");
  const { next } = useSearch({ strict: false });
  const navigate = useNavigate();
  const signedIn = useSession((session) => session.token !== null);
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");

  useEffect(() => {
    // Redirects only to pages of this app.
    if (signedIn)
      void navigate({ href: next?.startsWith("/") && !next.startsWith("//") ? next : "/", replace: true });
  }, [signedIn, next, navigate]);

  const enter = useMutation({
    meta: { quiet: true },
    mutationFn: async () =>
      (
        await api.POST("/api/login", {
          body: { user: user.trim(), ...(password ? { password } : { guestKey: guestKey() }) },
        })
      ).data!,
    onSuccess: (answer) => useSession.getState().begin(answer),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate();
  };

  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w={380} maw="100%" gap="lg">
        <Stack gap={4} align="center">
          <Brand size={44} />
          <Title order={1} mt="xs">
            Workroom
          </Title>
          <Text c="dimmed" size="sm">
            Shared rooms for science, with jobs that run anywhere.
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="md" bg="var(--wr-surface)">
          <form onSubmit={submit}>
            <Stack gap="md">
              <TextInput
                label="Name"
                size="sm"
                autoComplete="username"
                autoFocus
                required
                maxLength={64}
                value={user}
                onChange={(event) => setUser(event.currentTarget.value)}
              />
              <PasswordInput
                label="Password"
                description="Leave it empty to sign in as a guest."
                size="sm"
                autoComplete="current-password"
                visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              {enter.error && (
                <Alert color="red" icon={<IconAlertCircle size={16} />} role="alert" p="xs">
                  {enter.error instanceof Problem ? enter.error.message : "That did not work."}
                </Alert>
              )}
              <Button type="submit" size="sm" loading={enter.isPending} disabled={!user.trim()}>
                {password || !user.trim() ? "Sign in" : `Come in as ${user.trim()}, a guest`}
              </Button>
            </Stack>
          </form>
        </Paper>
        <Text size="xs" c="dimmed" ta="center">
          The first admin is <b>admin</b>; the password is in the file <b>admin-password</b> of the server's
          data folder.
        </Text>
      </Stack>
    </Center>
  );
}
