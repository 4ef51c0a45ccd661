import {
  Alert,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Brand } from "@/components/Brand";
import { api, Problem } from "@/lib/api/client";
import { guestKey } from "@/lib/api/guestKey";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { usePageTitle } from "@/lib/pageTitle";
import { rootPath } from "@/lib/rootPath";

export default function SignInPage() {
  usePageTitle("Sign in");
  const { next } = useSearch({ strict: false });
  const navigate = useNavigate();
  const signedIn = useSession((session) => session.token !== null);
  const refused = useSession((session) => session.refused);
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

  const methods = useQuery({
    queryKey: queryKeys.signInMethods,
    meta: { quiet: true },
    queryFn: async ({ signal }) => (await api.GET("/api/login/methods", { signal })).data!,
  });
  // A server that cannot be asked is asked to sign in: its answer says what is wrong.
  const { passwords, guests, provider, proxyUser } = methods.data ?? {
    passwords: true,
    guests: true,
    provider: null,
    proxyUser: null,
  };
  const continueAs = useMutation({
    meta: { quiet: true },
    mutationFn: async () => (await api.POST("/api/login/header")).data!,
    onSuccess: (answer) => useSession.getState().begin(answer),
  });
  const elsewhere = provider !== null || proxyUser !== null;

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
          <Stack gap="md">
            {refused && (
              <Alert color="yellow" icon={<IconAlertCircle size={16} />} role="status" p="xs">
                Your session has expired, or was ended on another device.{" "}
                {next ? "Sign in to go on where you were." : "Sign in again."}
              </Alert>
            )}
            {proxyUser !== null && (
              <Button size="sm" loading={continueAs.isPending} onClick={() => continueAs.mutate()}>
                Continue as {proxyUser}
              </Button>
            )}
            {provider !== null && (
              <Button
                size="sm"
                component="a"
                href={`${rootPath}/api/login/oidc?${new URLSearchParams({ next: next ?? "/" })}`}
              >
                {provider}
              </Button>
            )}
            {continueAs.error && (
              <Alert color="red" icon={<IconAlertCircle size={16} />} role="alert" p="xs">
                {continueAs.error.message}
              </Alert>
            )}
            {elsewhere && (passwords || guests) && <Divider label="or" />}
            {(passwords || guests) && (
              <form onSubmit={submit}>
                <Stack gap="md">
                  <TextInput
                    label="Name"
                    size="sm"
                    autoComplete="username"
                    autoFocus={!elsewhere}
                    required
                    maxLength={64}
                    value={user}
                    onChange={(event) => setUser(event.currentTarget.value)}
                  />
                  {passwords && (
                    <PasswordInput
                      label="Password"
                      description={guests ? "Leave it empty to sign in as a guest." : undefined}
                      required={!guests}
                      size="sm"
                      autoComplete="current-password"
                      visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
                      value={password}
                      onChange={(event) => setPassword(event.currentTarget.value)}
                    />
                  )}
                  {enter.error && (
                    <Alert color="red" icon={<IconAlertCircle size={16} />} role="alert" p="xs">
                      {enter.error instanceof Problem ? enter.error.message : "Sign-in failed. Try again."}
                    </Alert>
                  )}
                  <Button type="submit" size="sm" loading={enter.isPending} disabled={!user.trim()}>
                    {password || !guests || !user.trim() ? "Sign in" : `Continue as guest ${user.trim()}`}
                  </Button>
                </Stack>
              </form>
            )}
          </Stack>
        </Paper>
        {/* Only to a person at the machine of the server, who may have started it just now. */}
        {passwords && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname) && (
          <Text size="xs" c="dimmed" ta="center">
            The first admin is <b>admin</b>; the password is in the file <b>admin-password</b> of the server's
            data folder.
          </Text>
        )}
      </Stack>
    </Center>
  );
}
