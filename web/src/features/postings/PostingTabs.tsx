// The sweep grid, the results and the failures of a posting.
import { Box, Button, Group, Loader, Paper, Stack, Table, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { AnchorLink } from "@/components/RouterLinks";
import { StateBadge } from "@/components/StateBadge";
import { ValueView } from "@/components/ValueView";
import { count, plural } from "@/lib/format";
import { type JobFailure, type Posting, useFailures, usePostedJobs, useResults } from "./queries";
import { SweepGrid } from "./SweepGrid";

const MAX_GRID_JOBS = 2_000;

function FailureRow({ failure: { position, jobId, attempts, error } }: { failure: JobFailure }) {
  return (
    <Box pl="sm" style={{ borderLeft: "3px solid var(--wr-failed)" }}>
      <Text size="sm" fw={600} c="var(--wr-wrong)" style={{ overflowWrap: "anywhere" }}>
        {error.type}: {error.message}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        <AnchorLink to="/jobs/$job" params={{ job: jobId }} size="xs">
          job {position}
        </AnchorLink>
        , after {plural(attempts, "attempt")}
      </Text>
      {error.traceback && <CodeBlock code={error.traceback} maxHeight={180} />}
    </Box>
  );
}

export function PostingTabs({ posting, isSweep }: { posting: Posting; isSweep: boolean }) {
  const gridFits = posting.total <= MAX_GRID_JOBS;
  const [part, setPart] = useState<string | null>(isSweep && gridFits ? "grid" : "results");
  const jobs = usePostedJobs(posting, MAX_GRID_JOBS, part === "grid");
  const results = useResults(posting, part === "results");
  const failures = useFailures(posting, part === "failures");
  return (
    <Paper className="surface" radius="md">
      <Tabs value={part} onChange={setPart} keepMounted={false}>
        <Tabs.List px="sm">
          {isSweep && gridFits && <Tabs.Tab value="grid">Grid</Tabs.Tab>}
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab
            value="failures"
            rightSection={
              posting.failed ? (
                <Text size="xs" c="var(--wr-wrong)">
                  {count(posting.failed)}
                </Text>
              ) : null
            }
          >
            Failures
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="grid" p="md">
          {jobs.data ? <SweepGrid jobs={jobs.data} /> : <Loader size="sm" />}
        </Tabs.Panel>
        <Tabs.Panel value="results" p="md">
          {results.isLoadingError && <ErrorAlert error={results.error} />}
          {results.data && (
            <Table aria-label="Results">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={70}>#</Table.Th>
                  <Table.Th w={120}>State</Table.Th>
                  <Table.Th>Result</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {results.data.pages
                  .flatMap((page) => page.items)
                  .map((row) => (
                    <Table.Tr key={row.position}>
                      <Table.Td className="numbers">
                        <AnchorLink to="/jobs/$job" params={{ job: row.jobId }} size="sm">
                          {row.position}
                        </AnchorLink>
                      </Table.Td>
                      <Table.Td>
                        <StateBadge state={row.status} />
                      </Table.Td>
                      <Table.Td>
                        {row.error ? (
                          <Text size="sm" c="var(--wr-wrong)">
                            {row.error.type}: {row.error.message}
                          </Text>
                        ) : row.status === "completed" ? (
                          <ValueView value={row.result} depth={1} />
                        ) : null}
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          )}
          {results.hasNextPage && (
            <Group justify="center" mt="sm">
              <Button
                variant="default"
                loading={results.isFetchingNextPage}
                onClick={() => results.fetchNextPage()}
              >
                More
              </Button>
            </Group>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="failures" p="md">
          {failures.data && !failures.data.items.length && (
            <Text size="sm" c="dimmed">
              No job has failed.
            </Text>
          )}
          <Stack gap="sm">
            {failures.data?.items.map((one) => (
              <FailureRow key={one.position} failure={one} />
            ))}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}
