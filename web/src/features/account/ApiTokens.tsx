// API tokens of the user: made, shown once, listed and revoked.
import { Badge, Button, Group, Modal, Paper, Table, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { RelativeTime } from "@/components/RelativeTime";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { NewApiTokenForm } from "./NewApiTokenForm";

type ApiToken = Schemas["ApiToken"];

export function ApiTokens({ isAdmin }: { isAdmin: boolean }) {
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const tokens = useQuery({
    queryKey: queryKeys.apiTokens,
    queryFn: async ({ signal }) => (await api.GET("/api/users/me/tokens", { signal })).data!.items,
  });
  return (
    <Paper className="surface" p="md" radius="md" maw={860} mt="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          API tokens
        </Title>
        <Button size="xs" variant="light" onClick={() => setMaking(true)}>
          New token
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        A program signs in with a token as WORKROOM_TOKEN, for example a worker that runs for months. Signing
        out does not end tokens; a new password does.
      </Text>
      {tokens.isLoadingError && <ErrorAlert error={tokens.error} onRetry={() => tokens.refetch()} />}
      {tokens.data && tokens.data.length > 0 && <TokenTable tokens={tokens.data} />}
      <NewApiTokenForm
        isAdmin={isAdmin}
        opened={making}
        close={() => setMaking(false)}
        tell={(token) => setMade(token)}
      />
      <Modal opened={made !== null} onClose={() => setMade(null)} title={`Token ${made?.name}`} centered>
        <Text size="sm" mb="xs">
          It is shown only once. Keep it like a password.
        </Text>
        <CodeBlock code={made?.token ?? ""} label="Token" />
      </Modal>
    </Paper>
  );
}

function TokenTable({ tokens }: { tokens: ApiToken[] }) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table aria-label="API tokens">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Token</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Last use</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function TokenRow({ token }: { token: ApiToken }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.DELETE("/api/users/me/tokens/{id}", { params: { path: { id: token.id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiTokens }),
  });
  return (
    <Table.Tr>
      <Table.Td fw={560}>{token.name}</Table.Td>
      <Table.Td ff="monospace" fz="xs">
        {token.hint}…
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {token.scopes.map((scope) => (
            <Badge key={scope} size="sm" variant="light" color={scope === "admin" ? "iris" : "gray"}>
              {scope}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td c="dimmed">{token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : "never"}</Table.Td>
      <Table.Td c="dimmed">
        {token.expired ? (
          <Badge size="sm" color="red">
            expired
          </Badge>
        ) : token.expiresAt ? (
          new Date(token.expiresAt).toLocaleDateString()
        ) : (
          "never"
        )}
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          aria-label={`Revoke ${token.name}`}
          onClick={() => setAsking(true)}
        >
          Revoke
        </Button>
        <Modal opened={asking} onClose={() => setAsking(false)} title={`Revoke ${token.name}?`} centered>
          <Text size="sm">
            Programs with this token are signed out at once, and the workers that they registered end.
          </Text>
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke the token
            </Button>
          </Group>
        </Modal>
      </Table.Td>
    </Table.Tr>
  );
}
