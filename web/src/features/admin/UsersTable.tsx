import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Group,
  Loader,
  Menu,
  Modal,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
} from "@mantine/core";
import {
  IconBan,
  IconDots,
  IconKey,
  IconPlus,
  IconSearch,
  IconShieldDown,
  IconShieldUp,
  IconTrash,
  IconUserCheck,
} from "@tabler/icons-react";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { RelativeTime } from "@/components/RelativeTime";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { notify } from "@/lib/notifications";

type User = Schemas["User"];

const COLOURS = { admin: "iris", user: "gray", guest: "gray" };

export default function UsersTable() {
  const [search, setSearch] = useState("");
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<{ name: string; password: string } | null>(null);
  const users = useQuery({
    queryKey: queryKeys.users(search),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/users", { params: { query: { q: search, limit: 200 } }, signal })).data!,
  });
  return (
    <Paper className="surface" radius="md">
      <Group p="sm" justify="space-between">
        <TextInput
          aria-label="Search users"
          placeholder="Search users"
          leftSection={<IconSearch size={15} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          w={260}
        />
        <Button leftSection={<IconPlus size={15} />} onClick={() => setMaking(true)}>
          New account
        </Button>
      </Group>
      {users.isLoadingError && <ErrorAlert error={users.error} onRetry={() => users.refetch()} />}
      {users.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
      {users.data && (
        <Table.ScrollContainer minWidth={560}>
          <Table highlightOnHover aria-label="Users">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th w={50} aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {users.data.items.map((user) => (
                <Table.Tr key={user.id}>
                  <Table.Td fw={560}>{user.name}</Table.Td>
                  <Table.Td>
                    <Badge
                      size="sm"
                      color={COLOURS[user.role]}
                      variant={user.role === "guest" ? "outline" : "light"}
                    >
                      {user.role}
                    </Badge>
                  </Table.Td>
                  <Table.Td>
                    {user.disabled ? (
                      <Badge size="sm" color="red">
                        disabled
                      </Badge>
                    ) : (
                      <Text size="sm">active</Text>
                    )}
                  </Table.Td>
                  <Table.Td c="dimmed">
                    <RelativeTime at={user.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <UserMenu user={user} tell={setSecret} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <NewAccountForm opened={making} close={() => setMaking(false)} tell={setSecret} />
      <Modal
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={`Password of ${secret?.name}`}
        centered
      >
        <Text size="sm" mb="xs">
          It is shown only once. Send it over a secure channel; the user can change it under Account.
        </Text>
        <CodeBlock code={secret?.password ?? ""} label="Password" />
      </Modal>
    </Paper>
  );
}

type ShowSecret = (secret: { name: string; password: string }) => void;

function UserMenu({ user, tell: show }: { user: User; tell: ShowSecret }) {
  const client = useQueryClient();
  const me = useSession((session) => session.user?.id);
  const refetchUsers = () => client.invalidateQueries({ queryKey: queryKeys.users() });
  const change = useMutation({
    mutationFn: (body: { role?: "user" | "admin"; disabled?: boolean }) =>
      api.PATCH("/api/users/{id}", { params: { path: { id: user.id } }, body }),
    onSettled: refetchUsers,
  });
  const reset = useMutation({
    mutationFn: async () =>
      (await api.POST("/api/users/{id}/reset", { params: { path: { id: user.id } } })).data!,
    onSuccess: ({ password }) => show({ name: user.name, password }),
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE("/api/users/{id}", { params: { path: { id: user.id } } }),
    onSuccess: () => notify(`${user.name} is deleted.`),
    onSettled: refetchUsers,
  });
  const mine = user.id === me;
  const [asked, setAsked] = useState(false);
  return (
    <Menu position="bottom-end" width={220} onClose={() => setAsked(false)}>
      <Menu.Target>
        <ActionIcon
          aria-label={`Actions for ${user.name}`}
          loading={change.isPending || reset.isPending || remove.isPending}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {user.role === "admin" ? (
          <Menu.Item
            leftSection={<IconShieldDown size={15} />}
            disabled={mine}
            onClick={() => change.mutate({ role: "user" })}
          >
            Make a regular user
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconShieldUp size={15} />}
            disabled={user.role === "guest"}
            onClick={() => change.mutate({ role: "admin" })}
          >
            Make an admin
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconKey size={15} />}
          disabled={user.role === "guest"}
          onClick={() => reset.mutate()}
        >
          New password
        </Menu.Item>
        <Menu.Divider />
        {user.disabled ? (
          <Menu.Item
            leftSection={<IconUserCheck size={15} />}
            onClick={() => change.mutate({ disabled: false })}
          >
            Enable
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconBan size={15} />}
            disabled={mine}
            onClick={() => change.mutate({ disabled: true })}
          >
            Disable
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconTrash size={15} />}
          color="red"
          disabled={mine}
          closeMenuOnClick={asked}
          onClick={() => (asked ? remove.mutate() : setAsked(true))}
        >
          {asked ? "Delete permanently? It cannot be undone" : "Delete"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function NewAccountForm({
  opened,
  close,
  tell: show,
}: {
  opened: boolean;
  close: () => void;
  tell: ShowSecret;
}) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<"user" | "admin">("user");
  const make = useMutation({
    meta: { quiet: true },
    mutationFn: async () => (await api.POST("/api/users", { body: { name: name.trim(), role } })).data!,
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: queryKeys.users() });
      close();
      setName("");
      if (made.password) show({ name: made.name, password: made.password });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal opened={opened} onClose={close} title="New account" centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label="Role"
            allowDeselect={false}
            data={["user", "admin"]}
            value={role}
            onChange={(value) => setRole(value as typeof role)}
          />
          <Text size="xs" c="dimmed">
            A random password is generated and shown once.
          </Text>
          {make.error && (
            <Alert color="red" p="xs" role="alert">
              {make.error.message}
            </Alert>
          )}
          <Button type="submit" loading={make.isPending} disabled={!name.trim()}>
            Create account
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
