// The failed jobs of a posting, by the type of their error and the line that raised it.
import { Anchor, Badge, Box, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { AnchorLink } from "@/components/RouterLinks";
import { count, plural } from "@/lib/format";
import { useJob } from "@/live/queries";
import { type ErrorGroup, type Posting, useErrorGroups, useFailures, useRetryFailed } from "./queries";
import { fromOwnLine } from "./traceback";

/** So many groups show their traceback without a click. */
const OPEN_GROUPS = 5;

export function PostingFailures({ posting }: { posting: Posting }) {
  const groups = useErrorGroups(posting, true);
  if (groups.isLoadingError) return <ErrorAlert error={groups.error} onRetry={() => groups.refetch()} />;
  if (!groups.data) return <Loader size="sm" role="status" aria-label="Loading" />;
  if (!groups.data.length)
    return (
      <Text size="sm" c="dimmed">
        No job has failed.
      </Text>
    );
  return (
    <Stack gap="lg" component="ul" aria-label="Errors" p={0} m={0} style={{ listStyle: "none" }}>
      {groups.data.map((one, at) => (
        <FailureGroup
          key={`${one.type} ${one.place}`}
          group={one}
          posting={posting}
          openAtFirst={at < OPEN_GROUPS}
        />
      ))}
    </Stack>
  );
}

function FailureGroup({
  group,
  posting,
  openAtFirst,
}: {
  group: ErrorGroup;
  posting: Posting;
  openAtFirst: boolean;
}) {
  const [open, setOpen] = useState(openAtFirst);
  const [listed, setListed] = useState(false);
  const retry = useRetryFailed(posting.postingId);
  const navigate = useNavigate();
  const error = { errorType: group.type, errorPlace: group.place };
  return (
    <Box component="li" pl="sm" style={{ borderLeft: "3px solid var(--wr-failed)" }} data-testid="failures">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Badge color="red" variant="light" aria-label={plural(group.jobs, "job")} style={{ flex: "none" }}>
          {count(group.jobs, true)}
        </Badge>
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={600} c="var(--wr-wrong)" style={{ overflowWrap: "anywhere" }}>
            {group.type}
            {group.message && `: ${group.message}`}
          </Text>
          {group.place && (
            <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: "anywhere" }}>
              {group.place}
            </Text>
          )}
        </Box>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          aria-label={`Retry these ${plural(group.jobs, "job")}: ${group.type}`}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(error, {
              onSuccess: ({ posting: made }) => {
                if (made) void navigate({ to: "/postings/$posting", params: { posting: made.postingId } });
              },
            })
          }
        >
          Retry these
        </Button>
      </Group>
      {open && <NewestTraceback group={group} />}
      <Group gap="md" mt={6}>
        <Anchor component="button" type="button" size="xs" onClick={() => setOpen(!open)}>
          {open ? "Hide the traceback" : "Show the traceback"}
        </Anchor>
        <Anchor
          component="button"
          type="button"
          size="xs"
          aria-expanded={listed}
          onClick={() => setListed(!listed)}
        >
          {listed ? "Hide the jobs" : `Show the ${plural(group.jobs, "job")}`}
        </Anchor>
      </Group>
      {listed && <FailedJobs posting={posting} group={group} />}
    </Box>
  );
}

/** The traceback of the newest job of the group, from the user's own line on. */
function NewestTraceback({ group }: { group: ErrorGroup }) {
  const [whole, setWhole] = useState(false);
  const job = useJob(group.newest);
  const text = job.data?.error?.traceback;
  if (job.isPending) return <Loader size="xs" mt={6} role="status" aria-label="Loading" />;
  if (!text) return null;
  const own = fromOwnLine(text, group.place);
  return (
    <Box mt={6}>
      <CodeBlock
        code={whole ? text : own}
        label={`Traceback of ${group.type}`}
        maxHeight={whole ? 420 : 220}
      />
      {own !== text && (
        <Anchor component="button" type="button" size="xs" onClick={() => setWhole(!whole)}>
          {whole ? "Show it from your own line on" : "Show the whole traceback"}
        </Anchor>
      )}
    </Box>
  );
}

function FailedJobs({ posting, group }: { posting: Posting; group: ErrorGroup }) {
  const failures = useFailures(
    posting.postingId,
    { errorType: group.type, errorPlace: group.place },
    group.jobs,
    true,
  );
  if (!failures.data) return <Loader size="xs" mt={6} role="status" aria-label="Loading" />;
  const { items } = failures.data;
  return (
    <Group gap="sm" mt={6} data-testid="failed-jobs">
      {items.map(({ jobId, position, attempts, error }) => (
        <AnchorLink
          key={jobId}
          to="/jobs/$job"
          params={{ job: jobId }}
          size="xs"
          title={`${error.message}, after ${plural(attempts, "attempt")}`}
        >
          job {position}
        </AnchorLink>
      ))}
      {items.length < group.jobs && (
        <Text size="xs" c="dimmed">
          and {count(group.jobs - items.length)} more
        </Text>
      )}
    </Group>
  );
}
