import {
  Alert,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useSession } from "@/lib/api/session";
import { useCreateRoom } from "./queries";

export default function NewRoomModal({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New room" centered>
      <NewRoomForm close={close} />
    </Modal>
  );
}

function NewRoomForm({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [visibility, setVisibility] = useState<"public" | "private">("public");
  const isGuest = useSession((session) => session.user?.role === "guest");
  const make = useCreateRoom();
  const navigate = useNavigate();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(
      { name: name.trim(), description, visibility, extensionsFrom: "members" },
      {
        onSuccess: (room) => {
          close();
          void navigate({ to: "/rooms/$room", params: { room: room.name } });
        },
      },
    );
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Letters, digits, dot, dash and underscore. It is also the room's address."
          size="sm"
          required
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <div>
          <SegmentedControl
            fullWidth
            aria-label="Visibility"
            value={visibility}
            onChange={(value) => setVisibility(value as typeof visibility)}
            data={[
              { value: "public", label: "Public" },
              { value: "private", label: "Private" },
            ]}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {visibility === "public"
              ? "All signed-in users may read and write it."
              : "Only you and invited members can see the room."}
          </Text>
          {isGuest && visibility === "private" && (
            <Alert p="xs" mt="xs" color="yellow" role="note">
              You are a guest: you own this room through a key that only this browser has. Without the data of
              this browser you cannot open the room again. To keep it, ask an admin for an account, and make
              that account an owner in the settings of the room.
            </Alert>
          )}
        </div>
        {make.error && (
          <Alert color="red" p="xs" role="alert">
            {make.error.message}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={!name.trim()}>
            Create room
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
