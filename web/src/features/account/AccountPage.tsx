import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { Page } from "@/components/Page";
import { QuotaTable } from "@/components/QuotaTable";
import { SingleKeysSwitch } from "@/components/SingleKeysSwitch";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { notify } from "@/lib/notifications";
import { serverUrl } from "@/lib/rootPath";
import { ApiTokens } from "./ApiTokens";

export default function AccountPage() {
  const user = useSession((session) => session.user)!;
  return (
    <Page
      title={user.name}
      subtitle={`You are signed in as ${user.role === "guest" ? "a guest" : user.role === "admin" ? "an admin" : "a user"}.`}
    >
      <Paper className="surface" p="md" radius="md" maw={860}>
        <Title order={2} size="h4" mb="sm">
          Password
        </Title>
        {user.role === "guest" ? (
          <Text size="sm" c="dimmed">
            A guest has no password. Ask an admin for an account to reserve your name.
          </Text>
        ) : (
          <PasswordForm id={user.id} />
        )}
      </Paper>
      <Paper className="surface" p="md" radius="md" maw={860} mt="md">
        <Title order={2} size="h4" mb="sm">
          Keyboard
        </Title>
        <SingleKeysSwitch />
      </Paper>
      <CommandLineLogin />
      {user.role !== "guest" && <ApiTokens isAdmin={user.role === "admin"} />}
      <AccountQuotas id={user.id} />
    </Page>
  );
}

/** A code for programs of the same user: an account of a provider has no password. */
function CommandLineLogin() {
  const make = useMutation({
    mutationFn: async () => (await api.POST("/api/login/codes")).data!,
  });
  return (
    <Paper className="surface" p="md" radius="md" maw={860} mt="md">
      <Title order={2} size="h4" mb="sm">
        Command line and Python
      </Title>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          A code signs you in once on another machine. It expires after{" "}
          {make.data ? make.data.expiresIn / 60 : 5} minutes.
        </Text>
        {make.data && <CodeBlock code={`workroom login --url ${serverUrl} --code ${make.data.code}`} />}
        <Button size="xs" variant="light" loading={make.isPending} onClick={() => make.mutate()}>
          Make a code
        </Button>
      </Stack>
    </Paper>
  );
}

function AccountQuotas({ id }: { id: string }) {
  const quotas = useQuery({
    queryKey: queryKeys.users(id, "quotas"),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/users/{id}/quotas", { params: { path: { id } }, signal })).data!,
  });
  if (!quotas.data) return null;
  return (
    <Paper className="surface" p="md" radius="md" maw={860} mt="md">
      <Title order={2} size="h4" mb="sm">
        Quotas
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Admins can change these limits.
      </Text>
      <QuotaTable quotas={quotas.data.items} />
    </Paper>
  );
}

function PasswordForm({ id }: { id: string }) {
  const [oldPassword, setOld] = useState("");
  const [password, setNew] = useState("");
  const change = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      api.PATCH("/api/users/{id}", { params: { path: { id } }, body: { password, oldPassword } }),
    onSuccess: () => {
      notify("Sign in with the new password.", "Password changed");
      useSession.getState().end();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        <PasswordInput
          label="Old password"
          autoComplete="current-password"
          required
          value={oldPassword}
          onChange={(event) => setOld(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters. You sign in again afterwards, everywhere."
          autoComplete="new-password"
          required
          minLength={8}
          value={password}
          onChange={(event) => setNew(event.currentTarget.value)}
        />
        {change.error && (
          <Alert color="red" p="xs" role="alert">
            {change.error.message}
          </Alert>
        )}
        <Button
          type="submit"
          loading={change.isPending}
          disabled={password.length < 8 || !oldPassword}
          w="fit-content"
        >
          Change password
        </Button>
      </Stack>
    </form>
  );
}
