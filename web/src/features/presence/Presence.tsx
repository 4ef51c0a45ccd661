// Avatars of the users who are in the room. The camera of another one can be followed.
import { Avatar, Menu, Tooltip } from "@mantine/core";
import { IconVideo, IconVideoOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { follow, stopFollowing, useCameraFollow } from "@/lib/room/cameraFollow";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useRoomEvent } from "@/live/room/roomMembership";
import { avatarColours } from "./avatarColours";

type RoomPresence = Schemas["Presence"];
type Person = RoomPresence["people"][number];

const MAX_AVATARS = 5;

export default function Presence({ room }: RoomPanelProps) {
  const client = useQueryClient();
  const me = useSession((session) => session.user?.id);
  const { data } = useQuery({
    queryKey: queryKeys.presence(room),
    queryFn: async () => (await api.GET("/api/rooms/{room}/presence", { params: { path: { room } } })).data!,
  });
  useRoomEvent<RoomPresence>(room, "presence:changed", ({ people }) =>
    client.setQueryData<RoomPresence>(queryKeys.presence(room), (known) => ({
      room,
      total: people.length,
      ...known,
      people,
    })),
  );
  const people = [...(data?.people ?? [])].sort((a, b) => Number(b.id === me) - Number(a.id === me));
  if (people.length === 0) return null;
  const colours = avatarColours(people.map(({ id }) => id));
  const more = people.slice(MAX_AVATARS);
  return (
    <Avatar.Group spacing={8} aria-label={`${people.length} in the room`} role="group">
      {people.slice(0, MAX_AVATARS).map((person) => {
        const { id, name, sockets } = person;
        const label = `${name}${id === me ? " (you)" : ""}${sockets > 1 ? `, in ${sockets} windows` : ""}`;
        const look = { name, color: colours.get(id), variant: "filled", size: 26, radius: "xl" } as const;
        return id === me ? (
          <Tooltip key={id} label={label}>
            <Avatar {...look} alt={name} />
          </Tooltip>
        ) : (
          <PeopleMenu key={id} room={room} people={[person]} label={label}>
            <Avatar
              {...look}
              component="button"
              type="button"
              aria-label={name}
              style={{ cursor: "pointer" }}
            />
          </PeopleMenu>
        );
      })}
      {more.length > 0 && (
        <PeopleMenu room={room} people={more} label={more.map(({ name }) => name).join(", ")}>
          <Avatar
            size={26}
            radius="xl"
            component="button"
            type="button"
            aria-label={`${more.length} more people`}
            style={{ cursor: "pointer" }}
          >
            +{more.length}
          </Avatar>
        </PeopleMenu>
      )}
    </Avatar.Group>
  );
}

/** What can be done with people: follow the camera of one. */
function PeopleMenu(props: { room: string; people: Person[]; label: string; children: React.ReactNode }) {
  const { room, people, label, children } = props;
  const followed = useCameraFollow((now) => (now.room === room ? now.person?.id : undefined));
  const path = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();
  const start = (person: Person) => {
    follow(room, { id: person.id, name: person.name });
    // The scene is on the page of the room itself.
    if (path.replace(/\/$/, "").split("/").length > 3)
      void navigate({ to: "/rooms/$room", params: { room } });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: "auto" }}>
        {people.length === 1 && <Menu.Label>{label}</Menu.Label>}
        {people.map((person) =>
          person.id === followed ? (
            <Menu.Item key={person.id} leftSection={<IconVideoOff size={15} />} onClick={stopFollowing}>
              Stop following {person.name}
            </Menu.Item>
          ) : (
            <Menu.Item key={person.id} leftSection={<IconVideo size={15} />} onClick={() => start(person)}>
              Follow {person.name}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
