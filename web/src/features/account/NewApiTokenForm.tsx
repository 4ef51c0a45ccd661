import { Alert, Button, Checkbox, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

type Scope = NonNullable<Schemas["NewApiToken"]["scopes"]>[number];

const SCOPES: { value: Scope; label: string; about: string; forAdmins?: boolean }[] = [
  { value: "read", label: "read", about: "Read what you may read." },
  { value: "write", label: "write", about: "Read and change rooms, run jobs, post calls." },
  {
    value: "worker",
    label: "worker",
    about: "Register workers. Enough for a worker that already has its room.",
  },
  { value: "metrics", label: "metrics", about: "Read /metrics, for Prometheus.", forAdmins: true },
  { value: "admin", label: "admin", about: "Everything that you may do as an admin.", forAdmins: true },
];
const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "One year" },
  { value: "", label: "As long as the server allows" },
];

export function NewApiTokenForm(props: {
  isAdmin: boolean;
  opened: boolean;
  close: () => void;
  tell: (made: { name: string; token: string }) => void;
}) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>(["write", "worker"]);
  const [days, setDays] = useState("90");
  const make = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const expiresAt = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;
      const body = { name, scopes: scopes as Scope[], expiresAt };
      return (await api.POST("/api/users/me/tokens", { body })).data!;
    },
    onSuccess: (made) => {
      setName("");
      props.close();
      props.tell(made);
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiTokens }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal opened={props.opened} onClose={props.close} title="New API token" centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="For example that of the machine that uses it."
            required
            data-autofocus
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group label="It may" value={scopes} onChange={setScopes}>
            <Stack gap={6} mt={6}>
              {SCOPES.filter((one) => props.isAdmin || !one.forAdmins).map((one) => (
                <Checkbox key={one.value} value={one.value} label={one.label} description={one.about} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label="Expires"
            allowDeselect={false}
            data={LIFETIMES}
            value={days}
            onChange={(value) => setDays(value ?? "")}
          />
          {make.error && (
            <Alert color="red" p="xs" role="alert">
              {make.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={make.isPending} disabled={!name || scopes.length === 0}>
              Make the token
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
