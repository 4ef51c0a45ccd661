// Who is in the room right now.
import { Avatar, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useRoomEvent } from "@/live/roomMembership";

interface Person {
  id: string;
  name: string;
  sockets: number;
}

interface People {
  people: Person[];
}

const MAX_AVATARS = 5;

export default function Presence({ room }: RoomPanelProps) {
  const client = useQueryClient();
  const me = useSession((session) => session.user?.id);
  const { data } = useQuery({
    queryKey: queryKeys.presence(room),
    queryFn: () => callJson<People>("GET", roomPath(room, "presence")),
  });
  useRoomEvent<People>(room, "presence:changed", ({ people }) =>
    client.setQueryData<People>(queryKeys.presence(room), (known) => ({ ...known, people })),
  );
  const people = [...(data?.people ?? [])].sort((a, b) => Number(b.id === me) - Number(a.id === me));
  if (people.length === 0) return null;
  const more = people.slice(MAX_AVATARS);
  return (
    <Avatar.Group spacing={8} aria-label={`${people.length} in the room`} role="group">
      {people.slice(0, MAX_AVATARS).map(({ id, name, sockets }) => (
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
