import { Badge, Box, Group, Text, TextInput, Tooltip, UnstyledButton } from "@mantine/core";
import { IconPuzzle, IconSearch } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { MarkdownLine } from "@/components/Markdown";
import type { Schemas } from "@/lib/api/client";
import { plural } from "@/lib/format";
import { serverUrl } from "@/lib/rootPath";
import { useNow } from "@/lib/useNow";
import classes from "./ExtensionList.module.css";
import { offlineText } from "./offlineText";

type Extension = Schemas["ExtensionInfo"];

const ORDER = ["modifiers", "selections", "analysis", "files", "settings"];
const TITLES: Record<string, string> = {
  modifiers: "Modifiers",
  selections: "Selections",
  analysis: "Analysis",
  settings: "Settings",
  files: "Files",
};

/** The import of an upload is run by dropping a file: its form asks for the server's name of the upload. */
const isForPeople = ({ scope, category, name }: Extension) =>
  !(scope === "builtin" && category === "files" && name === "Open");

export const categoryTitle = (category: string) =>
  TITLES[category] ?? category.replace(/[-_]/g, " ").replace(/^./, (first) => first.toUpperCase());

const rank = (category: string) => (ORDER.indexOf(category) + ORDER.length + 1) % (ORDER.length + 1);

export function ExtensionList({
  room,
  extensions: all,
  open,
}: {
  room: string;
  extensions: Extension[];
  open: (extension: Extension) => void;
}) {
  const [search, setSearch] = useState("");
  const extensions = useMemo(() => all.filter(isForPeople), [all]);
  const groups = useMemo(() => {
    const query = search.trim().toLowerCase();
    const matching = extensions.filter((one) => `${one.category}/${one.name}`.toLowerCase().includes(query));
    const found = Map.groupBy(matching, (one) => one.category);
    return [...found].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
  }, [extensions, search]);

  if (!extensions.length)
    return (
      <EmptyState
        icon={IconPuzzle}
        title="Nothing to run yet"
        code={`from workroom import Category, Extension\n\nclass Stretch(Extension):\n    category = Category.MODIFIER\n    factor: float = 1.1\n\n    def run(self, vis, **kwargs):\n        atoms = vis.atoms\n        atoms.set_cell(atoms.cell * self.factor,\n                       scale_atoms=True)\n        vis.append(atoms)\n\n# workroom worker stretch.py --room ${room} --url ${serverUrl}`}
      >
        An extension is a small Python class. Save this as stretch.py, start a worker with the last line, and
        its form is here a second later:
      </EmptyState>
    );

  return (
    <Box p="xs">
      <TextInput
        aria-label="Search extensions"
        placeholder="Search extensions"
        size="xs"
        mb="xs"
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = groups[0]?.[1][0];
          if (event.key === "Enter" && first) open(first);
        }}
      />
      {groups.map(([category, members]) => (
        <section key={category} aria-label={categoryTitle(category)}>
          <Text className={classes.category}>{categoryTitle(category)}</Text>
          {members.map((one) => (
            <ExtensionRow key={`${one.scope} ${one.name}`} extension={one} open={() => open(one)} />
          ))}
        </section>
      ))}
      {!groups.length && (
        <Text size="sm" c="dimmed" p="sm">
          No extension matches “{search}”.
        </Text>
      )}
    </Box>
  );
}

function ExtensionRow({ extension, open }: { extension: Extension; open: () => void }) {
  const about = extension.schema.description as string | undefined;
  return (
    <UnstyledButton className={classes.row} onClick={open}>
      <Group justify="space-between" wrap="nowrap" gap={8}>
        <Text size="sm" fw={550} truncate>
          {extension.name}
        </Text>
        <Group gap={6} wrap="nowrap">
          {extension.activeJobs + extension.pendingJobs > 0 && (
            <Badge size="xs" color="blue">
              {extension.activeJobs + extension.pendingJobs}
            </Badge>
          )}
          {extension.scope !== "room" && (
            <Badge size="xs" variant="default" c="dimmed" fw={500}>
              {extension.scope}
            </Badge>
          )}
          <WorkerCount extension={extension} />
        </Group>
      </Group>
      {about && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          <MarkdownLine text={about} />
        </Text>
      )}
    </UnstyledButton>
  );
}

export function WorkerCount({ extension }: { extension: Extension }) {
  const { idleWorkers: idle, busyWorkers: busy, breakersOpen: broken } = extension;
  const online = idle + busy;
  const now = useNow(10_000);
  const label =
    online === 0
      ? offlineText(extension, now)
      : `${plural(online, "worker")} online: ${idle} idle, ${busy} busy${broken ? `, ${broken} paused after failures` : ""}`;
  const colour = online === 0 ? "cancelled" : broken >= online ? "failed" : idle ? "completed" : "assigned";
  return (
    <Tooltip label={label}>
      <span className={classes.workers} role="img" aria-label={label}>
        <span className={classes.dot} style={{ background: `var(--wr-${colour})` }} />
        {online || "offline"}
      </span>
    </Tooltip>
  );
}
