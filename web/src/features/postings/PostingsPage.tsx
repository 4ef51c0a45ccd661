import { Badge, Button, Group, Loader, Paper, SegmentedControl, Table, Text } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { StateDot } from "@/components/jobs/StateBadge";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { count, duration } from "@/lib/format";
import { PostingBar } from "./PostingBar";
import { postingStatus } from "./postingStatus";
import { isOpen, type Posting, usePostings } from "./queries";

const EXAMPLE = `from workroom import job, Registry

@job(name="resize")
def resize(path, width):
    ...

posting = Registry["resize"].post_work([("a.png", 100), ("b.png", 200)])
posting.wait()`;

const STATUSES: Record<"open" | "ended", Posting["status"][]> = {
  open: ["executing", "paused"],
  ended: ["completed", "failed", "cancelled"],
};

export default function PostingsPage() {
  const { show } = useSearch({ from: "/in/postings" });
  const navigate = useNavigate();
  const postings = usePostings({ status: show && STATUSES[show] });
  const items = postings.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      title="Postings"
      subtitle="A posting is a batch of calls of one function, or a sweep of one extension. It goes through the same queue as every job."
      actions={
        <SegmentedControl
          aria-label="Which"
          value={show ?? "all"}
          onChange={(value) =>
            void navigate({
              to: "/postings",
              search: value === "all" ? {} : { show: value as "open" | "ended" },
              replace: true,
            })
          }
          data={[
            { value: "all", label: "All" },
            { value: "open", label: "Open" },
            { value: "ended", label: "Ended" },
          ]}
        />
      }
    >
      <Paper className="surface" radius="md">
        {postings.isLoadingError && <ErrorAlert error={postings.error} onRetry={() => postings.refetch()} />}
        {postings.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
        {postings.data && !items.length && (
          <EmptyState icon={IconStack2} title="No postings here" code={EXAMPLE}>
            Post thousands of calls at once, and run them with `workroom pool --import your_module`; or turn
            any extension's form into a sweep.
          </EmptyState>
        )}
        {items.length > 0 && (
          <Table.ScrollContainer minWidth={820}>
            <Table highlightOnHover verticalSpacing={9} aria-label="Postings">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Function</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th miw={180}>Progress</Table.Th>
                  <Table.Th ta="right">Jobs</Table.Th>
                  <Table.Th ta="right">Rate</Table.Th>
                  <Table.Th ta="right">Left</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>Posted</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((one) => (
                  <PostingRow key={one.postingId} posting={one} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {postings.hasNextPage && (
          <Group justify="center" p="sm">
            <Button
              variant="default"
              loading={postings.isFetchingNextPage}
              onClick={() => postings.fetchNextPage()}
            >
              Older postings
            </Button>
          </Group>
        )}
      </Paper>
    </Page>
  );
}

/** The job state whose colour a posting status has. */
const STATUS_COLOURS = { executing: "running", paused: "assigned" } as Record<string, string>;

export function PostingStatus({ posting }: { posting: Posting }) {
  const { status } = posting;
  return (
    <Badge
      variant="default"
      size="sm"
      leftSection={<StateDot state={STATUS_COLOURS[status] ?? status} />}
      miw="max-content"
      style={{ flex: "none" }}
      fw={500}
    >
      {postingStatus(posting)}
    </Badge>
  );
}

function PostingRow({ posting }: { posting: Posting }) {
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <Link to="/postings/$posting" params={{ posting: posting.postingId }} className="plain">
          <Text span fw={600} size="sm">
            {posting.name}
          </Text>
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {[posting.label, posting.room && `in ${posting.room}`].filter(Boolean).join(" · ")}
        </Text>
      </Table.Td>
      <Table.Td>
        <PostingStatus posting={posting} />
      </Table.Td>
      <Table.Td>
        <PostingBar posting={posting} />
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {count(posting.total)}
        {posting.failed > 0 && (
          <Text size="xs" c="var(--wr-wrong)">
            {count(posting.failed)} failed
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="numbers" style={{ whiteSpace: "nowrap" }}>
        {posting.rate === null ? "–" : `${count(Math.round(posting.rate * 10) / 10, true)}/s`}
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {isOpen(posting) ? (posting.etaSeconds === null ? "–" : duration(posting.etaSeconds * 1000)) : ""}
      </Table.Td>
      <Table.Td>{posting.user ?? "–"}</Table.Td>
      <Table.Td c="dimmed">
        <RelativeTime at={posting.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
