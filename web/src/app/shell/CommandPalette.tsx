// Command palette: finds rooms, pages and extensions by a part of their name.
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { IconBolt, IconDoor, IconMoon, IconPuzzle, IconSearch, IconServer2 } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useState } from "react";
import { useCommandPalette } from "@/app/shell/commandPaletteState";
import { useNavigationItems } from "@/app/shell/navigation";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { extensionPath } from "@/lib/jobs/extensionPath";
import { useExtensions } from "@/live/queries";

export default function CommandPalette() {
  const opened = useCommandPalette((now) => now.opened);
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened]);
  const navigate = useNavigate();
  const places = useNavigationItems();
  const { room } = useParams({ strict: false });
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 150);
  const rooms = useQuery({
    queryKey: queryKeys.rooms("palette", search),
    enabled: opened,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms", { params: { query: { q: search, limit: 50 } }, signal })).data!,
  });
  const extensions = useExtensions(room ?? "", opened && room !== undefined);

  // The palette selects its first row when the user types. Results that arrive later would not be selected, and Enter would
  // do nothing, so this effect selects the first row when they arrive.
  const found = rooms.data?.items.length ?? 0;
  const offered = extensions.data?.length ?? 0;
  useLayoutEffect(() => {
    if (!opened || found + offered === 0) return;
    const row = (marked: string) => document.querySelector(`[role=dialog] [data-action]${marked}`);
    if (!row("[data-selected]")) row("")?.setAttribute("data-selected", "true");
  }, [opened, found, offered]);

  const groups: SpotlightActionGroupData[] = [];
  if (room)
    groups.push({
      group: `In ${room}`,
      actions: [
        {
          id: "room jobs",
          label: `Jobs of ${room}`,
          leftSection: <IconBolt size={18} stroke={1.6} />,
          onClick: () => void navigate({ to: "/rooms/$room/jobs", params: { room } }),
        },
        {
          id: "room workers",
          label: `Workers of ${room}`,
          leftSection: <IconServer2 size={18} stroke={1.6} />,
          onClick: () => void navigate({ to: "/rooms/$room/workers", params: { room } }),
        },
        ...(extensions.data ?? []).map((one) => ({
          id: `extension ${one.scope} ${one.category}/${one.name}`,
          label: one.name,
          description: one.category,
          leftSection: <IconPuzzle size={18} stroke={1.6} />,
          onClick: () =>
            void navigate({
              to: "/rooms/$room",
              params: { room },
              search: { ext: extensionPath(one) },
            }),
        })),
      ],
    });
  groups.push(
    {
      group: "Pages",
      actions: [
        ...places.map(({ to, label, icon: Icon }) => ({
          id: `page ${to}`,
          label,
          leftSection: <Icon size={18} stroke={1.6} />,
          onClick: () => void navigate({ to }),
        })),
        {
          id: "colours",
          label: dark ? "Light colours" : "Dark colours",
          leftSection: <IconMoon size={18} stroke={1.6} />,
          onClick: () => setColorScheme(dark ? "light" : "dark"),
        },
      ],
    },
    {
      group: "Rooms",
      actions: (rooms.data?.items ?? []).map((one) => ({
        id: `room ${one.name}`,
        label: one.name,
        description: one.description || undefined,
        leftSection: <IconDoor size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: "/rooms/$room", params: { room: one.name } }),
      })),
    },
  );

  return (
    <Spotlight
      actions={groups}
      onSpotlightClose={() => useCommandPalette.setState({ opened: false })}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      nothingFound="Nothing found"
      highlightQuery
      limit={12}
      scrollable
      maxHeight={420}
      attributes={{ content: { "aria-label": "Go to" } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "A room, a page, an extension …",
        "aria-label": "Go to",
      }}
    />
  );
}
