// One posting: its progress, its rate, its results and its failures.
import { Group, Loader, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { isNotFound, isUuid } from "@/lib/api/client";
import { count, duration } from "@/lib/format";
import { useTimeSeries } from "@/lib/timeSeries";
import { useNow } from "@/lib/useNow";
import { useJoinRoom } from "@/live/room/roomMembership";
import { PostingBar } from "./PostingBar";
import { PostingButtons } from "./PostingButtons";
import { PostingStatus } from "./PostingsPage";
import { PostingTabs } from "./PostingTabs";
import { isOpen, type Posting, usePosting, usePostingHistory } from "./queries";
import { rateSeries } from "./rateSeries";

const LineChart = lazy(() => import("@/components/charts/LineChart"));

export default function PostingPage() {
  const { posting: id } = useParams({ from: "/in/postings/$posting" });
  const posting = usePosting(id, isUuid(id));
  if (!isUuid(id) || isNotFound(posting.error))
    return <NotFound>There is no posting {id}, or it is in a room that you may not read.</NotFound>;
  if (posting.isLoadingError) return <ErrorAlert error={posting.error} onRetry={() => posting.refetch()} />;
  if (!posting.data) return <Loader size="sm" m="xl" role="status" aria-label="Loading" />;
  const { room } = posting.data;
  return room === null ? (
    <PostingDetails posting={posting.data} key={id} />
  ) : (
    <PostingInRoom posting={posting.data} room={room} key={id} />
  );
}

/** Joins the room of the posting, because posting events are sent to the room and to the user who posted. */
function PostingInRoom({ posting, room }: { posting: Posting; room: string }) {
  useJoinRoom(room);
  return <PostingDetails posting={posting} />;
}

function PostingDetails({ posting: one }: { posting: Posting }) {
  // One point for each whole second, with or without an event.
  const second = Math.floor(useNow(isOpen(one) ? 1_000 : 0) / 1_000) * 1_000;
  const series = useTimeSeries(isOpen(one) ? [one.rate ?? 0] : undefined, second, 3_600);
  const isSweep = one.scope !== "function";
  const history = usePostingHistory(one);
  const readAt = one.finishedAt ? Date.parse(one.finishedAt) : history.dataUpdatedAt;
  const rates = useMemo(() => rateSeries(history.data, readAt, series), [history.data, readAt, series]);
  return (
    <Page
      title={one.label ? `${one.name}: ${one.label}` : one.name}
      subtitle={
        <Group gap={8}>
          <PostingStatus posting={one} />
          <span>
            {isSweep ? "a sweep" : "a function"}
            {one.room && (
              <>
                {" in "}
                <Link to="/rooms/$room" params={{ room: one.room }} className="plain">
                  <b>{one.room}</b>
                </Link>
              </>
            )}
            {one.user && ` · by ${one.user}`} · <RelativeTime at={one.createdAt} />
          </span>
        </Group>
      }
      actions={<PostingButtons posting={one} />}
    >
      <Stack gap="md">
        <Paper className="surface" p="md" radius="md">
          <PostingBar posting={one} size={12} />
          <SimpleGrid cols={{ base: 3, sm: 6 }} mt="md">
            <Statistic name="Jobs" value={count(one.total)} />
            <Statistic name="Finished" value={count(one.completed)} testId="figure-finished" />
            <Statistic
              name="Failed"
              value={count(one.failed)}
              colour={one.failed ? "var(--wr-wrong)" : undefined}
            />
            <Statistic name="At workers" value={count(one.active ?? 0)} />
            <Statistic
              name={isOpen(one) ? "Rate" : "Mean rate"}
              value={one.rate === null ? "–" : `${count(Math.round(one.rate * 10) / 10, true)}/s`}
            />
            <Statistic
              name={isOpen(one) ? "Done in about" : "Took"}
              value={
                one.finishedAt
                  ? duration(Date.parse(one.finishedAt) - Date.parse(one.createdAt))
                  : one.etaSeconds === null
                    ? "–"
                    : duration(one.etaSeconds * 1000)
              }
            />
          </SimpleGrid>
        </Paper>
        {rates.times.length > 2 && (
          <Paper className="surface" p="md" radius="md">
            <Text size="sm" fw={600} mb="xs">
              Jobs per second
            </Text>
            <Suspense>
              <LineChart
                label="Jobs a second"
                lines={[{ label: "rate", colour: "--wr-running", fill: true }]}
                times={rates.times}
                values={rates.values}
              />
            </Suspense>
          </Paper>
        )}
        <PostingTabs posting={one} isSweep={isSweep} />
      </Stack>
    </Page>
  );
}

function Statistic({
  name,
  value,
  colour,
  testId,
}: {
  name: string;
  value: ReactNode;
  colour?: string;
  testId?: string;
}) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="lg" fw={600} className="numbers" c={colour} data-testid={testId}>
        {value}
      </Text>
    </div>
  );
}
