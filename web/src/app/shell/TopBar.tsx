import {
  ActionIcon,
  Avatar,
  Box,
  Button,
  Group,
  Kbd,
  Menu,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import {
  IconApi,
  IconBell,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconMap2,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { Link, useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { RoomBar } from "@/app/room/RoomBar";
import { useTour } from "@/app/room/tourSteps";
import { openCommandPalette } from "@/app/shell/commandPaletteState";
import { useNavigationItems } from "@/app/shell/navigation";
import { useShortcutSheet } from "@/app/shell/ShortcutSheet";
import { signOut } from "@/lib/api/client";
import { useSession } from "@/lib/api/session";
import { rootPath } from "@/lib/rootPath";
import { noticePermission } from "@/live/browserNotifications";

export function TopBar() {
  const { room } = useParams({ strict: false });
  return (
    <>
      <Box style={{ flex: 1, minWidth: 0 }}>{room ? <RoomBar room={room} /> : <PageName />}</Box>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">{isMac() ? "⌘" : "Ctrl"} K</Kbd>}
        onClick={openCommandPalette}
        visibleFrom="md"
        c="dimmed"
        fw={400}
      >
        Go to …
      </Button>
      <ActionIcon hiddenFrom="md" onClick={openCommandPalette} aria-label="Go to …">
        <IconSearch size={18} />
      </ActionIcon>
      <Box visibleFrom="sm">
        <ThemeToggle />
      </Box>
      <UserMenu />
    </>
  );
}

const isMac = () => /Mac|iPad|iPhone/.test(navigator.userAgent);

function PageName() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const place = useNavigationItems().find((one) => one.isActive(path));
  return (
    <Text fw={600} truncate>
      {place?.label ?? "Workroom"}
    </Text>
  );
}

function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const label = dark ? "Light colours" : "Dark colours";
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={() => setColorScheme(dark ? "light" : "dark")}>
        {dark ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** The same as `ThemeToggle`, where the bar has no space for it. */
function ThemeItem() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  return (
    <Menu.Item
      hiddenFrom="sm"
      leftSection={dark ? <IconSun size={15} /> : <IconMoon size={15} />}
      onClick={() => setColorScheme(dark ? "light" : "dark")}
    >
      {dark ? "Light colours" : "Dark colours"}
    </Menu.Item>
  );
}

/** Asks the browser to allow notices; hidden once the user has decided. */
function NoticeItem() {
  const [permission, setPermission] = useState(noticePermission);
  if (permission !== "default") return null;
  return (
    <Menu.Item
      leftSection={<IconBell size={15} />}
      onClick={async () => setPermission(await Notification.requestPermission())}
    >
      Notify me of finished jobs
    </Menu.Item>
  );
}

/** Starts the tour of the room, on its page. */
function TourItem() {
  const { room } = useParams({ strict: false });
  const navigate = useNavigate();
  if (!room) return null;
  return (
    <Menu.Item
      leftSection={<IconMap2 size={15} />}
      onClick={async () => {
        await navigate({ to: "/rooms/$room", params: { room } });
        useTour.getState().start();
      }}
    >
      Tour of the room
    </Menu.Item>
  );
}

function UserMenu() {
  const user = useSession((session) => session.user);
  const showShortcuts = useShortcutSheet((sheet) => sheet.show);
  if (!user) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={30} radius="xl" aria-label={`Signed in as ${user.name}`}>
          <Avatar size={28} radius="xl" color="initials" name={user.name}>
            {user.name.slice(0, 1).toUpperCase()}
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Group px="sm" py={6} gap={8} wrap="nowrap">
          <IconUser size={16} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600} truncate>
              {user.name}
            </Text>
            <Text size="xs" c="dimmed">
              {user.role}
            </Text>
          </div>
        </Group>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={15} />}>
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={15} />}
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={showShortcuts}
        >
          Keyboard
        </Menu.Item>
        <TourItem />
        <NoticeItem />
        <ThemeItem />
        <Menu.Item
          component="a"
          href={`${rootPath}/docs/`}
          target="_blank"
          leftSection={<IconHelp size={15} />}
        >
          Documentation
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${rootPath}/api/docs`}
          target="_blank"
          leftSection={<IconApi size={15} />}
        >
          API
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void signOut({ everywhere: false })}>
          Sign out
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconLogout size={15} />}
          onClick={() => void signOut({ everywhere: true })}
        >
          Sign out everywhere
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
