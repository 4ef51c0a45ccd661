// The room's name, tabs and header items in the top bar.
import { ActionIcon, Badge, Button, Group, Menu, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconChevronDown, IconLayoutDashboard, IconLock, IconRestore } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { usePanelDock } from "@/app/room/panelDockCommands";
import { panels, strips } from "@/app/room/panelRegistry";
import { useRoomInfo } from "@/live/queries";
import classes from "./RoomBar.module.css";

const headers = strips("header").map((piece) => ({ id: piece.id, Content: lazy(piece.load) }));
const TABS = [
  { to: "/rooms/$room", label: "Room", exact: true },
  { to: "/rooms/$room/jobs", label: "Jobs", exact: false },
  { to: "/rooms/$room/workers", label: "Workers", exact: false },
  { to: "/rooms/$room/settings", label: "Settings", exact: false },
] as const;

export function RoomBar({ room }: { room: string }) {
  // The page below fetches the room; one that is not found has neither tabs nor anything else in this bar.
  const info = useRoomInfo(room, false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
      <Group gap={6} wrap="nowrap" style={{ minWidth: 0, flexShrink: 1 }}>
        <Text fw={650} truncate title={room} className={classes.name}>
          {room}
        </Text>
        <TabMenu room={room} path={path} />
        {info.data?.visibility === "private" && (
          <Tooltip label="Only members see this room">
            <IconLock size={14} aria-label="private" style={{ flex: "none" }} />
          </Tooltip>
        )}
        {info.data?.rights === "read" && (
          <Badge size="xs" color="gray" style={{ flex: "none" }}>
            read only
          </Badge>
        )}
      </Group>
      {info.isSuccess && (
        <>
          <nav className={classes.tabs} aria-label="This room">
            {TABS.map(({ to, label, exact }) => (
              <Link
                key={to}
                to={to}
                params={{ room }}
                className={classes.tab}
                activeOptions={{ exact, includeSearch: false }}
                activeProps={{ "data-here": true }}
              >
                {label}
              </Link>
            ))}
          </nav>
          <Group gap="xs" wrap="nowrap" ml="auto" className={classes.items}>
            {headers.map(({ id, Content }) => (
              <Suspense key={id}>
                <Content room={room} />
              </Suspense>
            ))}
            {path.replace(/\/$/, "").split("/").length === 3 && <PanelMenu />}
          </Group>
        </>
      )}
    </Group>
  );
}

/** The tabs on a narrow screen. */
function TabMenu({ room, path }: { room: string; path: string }) {
  const here = TABS.toReversed().find(({ to }) =>
    path.startsWith(to.replace("$room", encodeURIComponent(room))),
  );
  // What is read aloud begins with what is shown.
  const shown = here && here.label !== "Room" ? `${room} · ${here.label}` : room;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.tabMenu}
          rightSection={<IconChevronDown size={13} />}
          aria-label={`${shown}: pages of this room`}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TABS.map(({ to, label }) => (
          <Menu.Item key={to} component={Link} to={to.replace("$room", encodeURIComponent(room))}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function PanelMenu() {
  const { open, toggle, reset } = usePanelDock();
  const [opened, setOpened] = useState(false);
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={200} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Tooltip label="Panels" disabled={opened}>
          <ActionIcon aria-label="Panels" className={classes.panelMenu}>
            <IconLayoutDashboard size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Panels</Menu.Label>
        {panels.map(({ id, title, icon: Icon }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon size={15} />}
            rightSection={open.includes(id) ? <IconCheck size={14} aria-label="shown" /> : null}
            onClick={() => toggle(id)}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconRestore size={15} />} onClick={reset}>
          Reset the layout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
