// A sweep as a grid: one cell for each job, coloured by state, with the result on hover.
import { Group, Select, Text, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { STATE_LABELS, StateDot } from "@/components/StateBadge";
import { duration } from "@/lib/format";
import { axesOf, flattenArguments, keyOf } from "./gridAxes";
import type { PostedJob } from "./queries";
import classes from "./SweepGrid.module.css";

export function SweepGrid({ jobs }: { jobs: PostedJob[] }) {
  const axes = useMemo(() => axesOf(jobs), [jobs]);
  const [chosen, setChosen] = useState<{ across?: string; down?: string }>({});
  if (!axes.length) return <Text c="dimmed">All jobs have the same arguments.</Text>;
  const across = axes.find((axis) => axis.path === chosen.across) ?? axes.at(-1)!;
  const down =
    axes.find((axis) => axis.path === chosen.down && axis !== across) ?? axes.find((axis) => axis !== across);
  const cells = Map.groupBy(jobs, (job) => {
    const values = flattenArguments(job.data);
    return `${down ? keyOf(values.get(down.path)) : ""} ${keyOf(values.get(across.path))}`;
  });
  const rest = axes.filter((axis) => axis !== across && axis !== down);
  const paths = axes.map((axis) => axis.path);
  return (
    <div>
      <Group gap="sm" mb="sm">
        {axes.length > 1 && (
          <>
            <Select
              label="Across"
              size="xs"
              w={160}
              data={paths}
              value={across.path}
              allowDeselect={false}
              onChange={(value) => setChosen({ ...chosen, across: value ?? undefined })}
            />
            <Select
              label="Down"
              size="xs"
              w={160}
              data={paths.filter((path) => path !== across.path)}
              value={down?.path ?? null}
              allowDeselect={false}
              onChange={(value) => setChosen({ ...chosen, down: value ?? undefined })}
            />
          </>
        )}
        <Group gap="md" ml="auto" mt="auto">
          {["pending", "assigned", "running", "completed", "failed"].map((state) => (
            <Group key={state} gap={5}>
              <StateDot state={state} />
              <Text size="xs">{STATE_LABELS[state]}</Text>
            </Group>
          ))}
        </Group>
      </Group>
      <div className={classes.scroll} tabIndex={0}>
        <table className={classes.grid} aria-label="Sweep">
          <thead>
            <tr>
              <th className={classes.corner} scope="col">
                {down?.path ?? ""}
              </th>
              {across.values.map((value) => (
                <th key={keyOf(value)} scope="col" className="numbers">
                  {formatValue(value)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(down?.values ?? [undefined]).map((value) => (
              <tr key={keyOf(value)}>
                <th scope="row" className="numbers">
                  {value === undefined ? "" : formatValue(value)}
                </th>
                {across.values.map((other) => (
                  <td key={keyOf(other)}>
                    <div className={classes.cell}>
                      {(cells.get(`${down ? keyOf(value) : ""} ${keyOf(other)}`) ?? []).map((job) => (
                        <GridCell key={job.jobId} job={job} />
                      ))}
                    </div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        across: {across.path}
        {rest.length > 0 && ` · inside a cell: ${rest.map((axis) => axis.path).join(", ")}`}
      </Text>
    </div>
  );
}

const formatValue = (value: unknown) => (typeof value === "string" ? value : keyOf(value));

function GridCell({ job }: { job: PostedJob }) {
  const label = `${STATE_LABELS[job.status]}${job.executionTimeMs === null ? "" : ` in ${duration(job.executionTimeMs)}`}`;
  const fraction = job.status === "running" ? job.progress?.fraction : null;
  return (
    <Tooltip label={label}>
      <Link
        to="/jobs/$job"
        params={{ job: job.jobId }}
        className={classes.job}
        data-state={job.status}
        aria-label={`Job ${job.position}: ${label}`}
        style={
          {
            "--state": `var(--wr-${job.status})`,
            "--part": fraction ? `${fraction * 100}%` : "100%",
          } as React.CSSProperties
        }
      />
    </Tooltip>
  );
}
