// Who is in the room right now.
import { Avatar, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api";
import { keys } from "@/lib/keys";
import type { RoomPieceProps } from "@/lib/panels";
import { useSession } from "@/lib/session";
import { useRoomEvent } from "@/live/rooms";

interface Person {
  id: string;
  name: string;
  sockets: number;
}

interface People {
  people: Person[];
}

const SHOWN = 5;

export default function Presence({ room }: RoomPieceProps) {
  const client = useQueryClient();
  const me = useSession((session) => session.user?.id);
  const { data } = useQuery({
    queryKey: keys.presence(room),
    queryFn: () => callJson<People>("GET", roomPath(room, "presence")),
  });
  useRoomEvent<People>(room, "presence:changed", ({ people }) =>
    client.setQueryData<People>(keys.presence(room), (known) => ({ ...known, people })),
  );
  const people = [...(data?.people ?? [])].sort((a, b) => Number(b.id === me) - Number(a.id === me));
  if (people.length === 0) return null;
  const more = people.slice(SHOWN);
  return (
    <Avatar.Group spacing={8} aria-label={`${people.length} in the room`} role="group">
      {people.slice(0, SHOWN).map(({ id, name, sockets }) => (
        <Tooltip
          key={id}
          label={`${name}${id === me ? " (you)" : ""}${sockets > 1 ? `, in ${sockets} windows` : ""}`}
        >
          <Avatar name={name} color="initials" size={26} radius="xl" alt={name} />
        </Tooltip>
      ))}
      {more.length > 0 && (
        <Tooltip label={more.map(({ name }) => name).join(", ")} multiline maw={300}>
          <Avatar size={26} radius="xl">
            +{more.length}
          </Avatar>
        </Tooltip>
      )}
    </Avatar.Group>
  );
}
