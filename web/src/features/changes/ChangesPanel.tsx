import {
  Alert,
  Anchor,
  Badge,
  Button,
  Center,
  Code,
  Collapse,
  Group,
  Loader,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
} from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { AnchorLink } from "@/components/RouterLinks";
import { Problem } from "@/lib/api/client";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { goTo, play } from "@/lib/room/playback";
import { parametersText } from "./parametersText";
import { type Change, groupByJob, useChanges } from "./useChanges";
import "./changes.css";

export default function ChangesPanel({ room }: RoomPanelProps) {
  const { page, undo } = useChanges(room);
  const refused = undo.error ? { at: undo.variables, problem: undo.error } : null;
  if (page.isPending)
    return (
      <Center h="100%">
        <Loader size="sm" role="status" aria-label="Loading" />
      </Center>
    );
  if (page.isLoadingError) return <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />;
  const groups = groupByJob(page.data);
  return (
    <ScrollArea h="100%" type="auto">
      <Stack gap={0} p="sm" component="ol" className="wr-changes">
        {groups.length === 0 && (
          <Text size="sm" c="dimmed">
            All changes of this room are listed here with their author, and can be undone.
          </Text>
        )}
        {groups.map((group) => {
          const first = group[0]!;
          const what = first.jobId && !first.undoOf ? { job: first.jobId } : { change: first.id };
          const here = JSON.stringify(refused?.at) === JSON.stringify(what);
          return (
            <ChangeEntry
              key={first.id}
              group={group}
              busy={undo.isPending && JSON.stringify(undo.variables) === JSON.stringify(what)}
              refusal={here ? refused?.problem : undefined}
              labels={new Map(page.data.map(({ id, label }) => [id, label]))}
              onUndo={() => undo.mutate(what)}
            />
          );
        })}
        {page.hasNextPage && (
          <Button
            variant="subtle"
            onClick={() => void page.fetchNextPage()}
            loading={page.isFetchingNextPage}
          >
            Earlier changes
          </Button>
        )}
      </Stack>
    </ScrollArea>
  );
}

interface ChangeEntryProps {
  group: Change[];
  busy: boolean;
  refusal: Error | undefined;
  labels: ReadonlyMap<string, string>;
  onUndo: () => void;
}

function ChangeEntry({ group, busy, refusal, labels, onUndo }: ChangeEntryProps) {
  const [open, setOpen] = useState(false);
  const first = group[0]!;
  const undone = group.every((change) => change.undoneBy !== null);
  const frame = first.frames?.lastNow ?? null;
  const parameters = parametersText(first.parameters);
  return (
    <li data-undone={undone || undefined}>
      <Group gap={8} wrap="nowrap" align="flex-start" justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" className="wr-changes-label">
            {group.length > 1 ? `${first.extension ?? "A job"}: ${group.length} changes` : first.label}
          </Text>
          <Group gap={6} wrap="wrap">
            <Text size="xs" c="dimmed" title={new Date(first.at).toLocaleString()}>
              {first.author.name ?? "Former user"} · {formatTime(first.at)}
            </Text>
            {first.extension && <Badge size="xs">{first.extension}</Badge>}
            {parameters && (
              <Text size="xs" c="dimmed" ff="monospace" truncate maw="100%" title={parameters}>
                {parameters}
              </Text>
            )}
            {undone && (
              <Badge size="xs" color="gray">
                undone
              </Badge>
            )}
            {frame !== null && (
              <Anchor
                component="button"
                type="button"
                size="xs"
                onClick={() => {
                  play(false);
                  goTo(frame);
                }}
              >
                @{frame}
              </Anchor>
            )}
            {first.jobId && (
              <Anchor
                component="button"
                type="button"
                size="xs"
                onClick={() => setOpen(!open)}
                aria-expanded={open}
              >
                details
              </Anchor>
            )}
          </Group>
        </div>
        {!undone && (
          <Tooltip label={first.undoOf ? "Redo" : group.length > 1 || first.jobId ? "Undo this job" : "Undo"}>
            <Button
              variant="subtle"
              color="gray"
              px={6}
              loading={busy}
              onClick={onUndo}
              aria-label={`${first.undoOf ? "Redo" : "Undo"}: ${first.label}`}
            >
              {first.undoOf ? <IconArrowForwardUp size={15} /> : <IconArrowBackUp size={15} />}
            </Button>
          </Tooltip>
        )}
      </Group>
      {refusal && <UndoError problem={refusal} labels={labels} />}
      <Collapse expanded={open}>
        <Stack gap={4} mt={4}>
          {first.machine && <Text size="xs">on {first.machine}</Text>}
          {first.parameters !== null && (
            <Code block fz="xs" mah={160} style={{ overflow: "auto" }}>
              {JSON.stringify(first.parameters, null, 1)}
            </Code>
          )}
          {first.jobId && (
            <AnchorLink to="/jobs/$job" params={{ job: first.jobId }} size="xs">
              Open the job
            </AnchorLink>
          )}
        </Stack>
      </Collapse>
    </li>
  );
}

/** Why a change cannot be undone, with the later changes that conflict with it. */
function UndoError({ problem, labels }: { problem: Error; labels: ReadonlyMap<string, string> }) {
  const later = problem instanceof Problem && Array.isArray(problem.body.later) ? problem.body.later : [];
  return (
    <Alert color="orange" p="xs" mt={4} role="alert">
      <Text size="xs">{problem.message}</Text>
      {later.slice(0, 5).map((one, at) => {
        const id = typeof one === "string" ? one : String((one as { id?: unknown }).id ?? at);
        const label = (typeof one === "object" && (one as { label?: string }).label) || labels.get(id);
        return label ? (
          <Text key={id} size="xs" c="dimmed">
            · {label}
          </Text>
        ) : null;
      })}
    </Alert>
  );
}

function formatTime(at: string): string {
  const minutes = Math.round((Date.now() - Date.parse(at)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.round(minutes / 60)} h ago`;
  return new Date(at).toLocaleDateString();
}
