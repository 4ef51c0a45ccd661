// The sweep grid, the plot, the results and the failures of a posting. The chosen tab is part of the address.
import { Button, Loader, Paper, Tabs, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { count } from "@/lib/format";
import { PostingFailures } from "./PostingFailures";
import { type Posting, usePostedJobs, useResults } from "./queries";
import { namedArguments, numericPaths } from "./results/argumentAndResultColumns";
import { ResultsTable } from "./results/ResultsTable";
import { SweepGrid } from "./sweep/SweepGrid";
import { SweepPlot } from "./sweep/SweepPlot";

/** A posting of up to so many jobs is fetched as a whole, for its grid, its plot and sorting. */
const MAX_WHOLE_JOBS = 2_000;

export function PostingTabs({ posting, isSweep }: { posting: Posting; isSweep: boolean }) {
  const { part: asked } = useSearch({ from: "/in/postings/$posting" });
  const navigate = useNavigate();
  const fits = posting.total <= MAX_WHOLE_JOBS;
  const parts = [...(isSweep && fits ? ["grid"] : []), ...(fits ? ["plot"] : []), "results", "failures"];
  const part = parts.find((one) => one === asked) ?? (isSweep && fits ? "grid" : "results");
  const jobs = usePostedJobs(posting, MAX_WHOLE_JOBS, part === "grid");
  const results = useResults(posting, MAX_WHOLE_JOBS, part !== "failures");
  const isFunction = posting.scope === "function";
  const rows = useMemo(
    () =>
      (results.data?.pages ?? [])
        .flatMap((page) => page.items)
        .map((row) => ({ ...row, data: namedArguments(row.data, isFunction) })),
    [results.data, isFunction],
  );
  const completed = useMemo(
    () =>
      new Map(rows.flatMap((row) => (row.status === "completed" ? [[row.jobId as string, row.result]] : []))),
    [rows],
  );
  const paths = useMemo(() => numericPaths([...completed.values()]), [completed]);
  const [chosen, setChosen] = useState<string>();
  const valuePath = chosen !== undefined && paths.includes(chosen) ? chosen : undefined;
  const plotted = valuePath ?? paths[0];
  return (
    <Paper className="surface" radius="md">
      <Tabs
        value={part}
        onChange={(value) =>
          void navigate({ to: ".", search: { part: value ?? undefined }, resetScroll: false })
        }
        keepMounted={false}
      >
        <Tabs.List px="sm">
          {parts.includes("grid") && <Tabs.Tab value="grid">Grid</Tabs.Tab>}
          {parts.includes("plot") && <Tabs.Tab value="plot">Plot</Tabs.Tab>}
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
        {part !== "failures" && results.isLoadingError && (
          <ErrorAlert error={results.error} onRetry={() => results.refetch()} />
        )}
        <Tabs.Panel value="grid" p="md">
          {jobs.data ? (
            <SweepGrid
              jobs={jobs.data}
              results={completed}
              paths={paths}
              valuePath={valuePath}
              setValuePath={setChosen}
            />
          ) : (
            <Loader size="sm" role="status" aria-label="Loading" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="plot" p="md">
          {plotted === undefined ? (
            <Text size="sm" c="dimmed">
              {results.isFetching ? "Loading …" : "No result has a number yet."}
            </Text>
          ) : (
            <SweepPlot rows={rows} paths={paths} valuePath={plotted} setValuePath={setChosen} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="results" p="md">
          {results.data && (
            <ResultsTable
              posting={posting}
              rows={rows}
              more={
                results.hasNextPage && (
                  <Button
                    variant="default"
                    loading={results.isFetchingNextPage}
                    onClick={() => results.fetchNextPage()}
                  >
                    More
                  </Button>
                )
              }
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="failures" p="md">
          <PostingFailures posting={posting} />
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}
