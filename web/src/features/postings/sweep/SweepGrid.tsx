// A sweep as a grid: one cell for each job, coloured by its state or by a number of its result.
import { Group, Select, Text, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { STATE_LABELS, StateDot } from "@/components/jobs/StateBadge";
import { duration, number } from "@/lib/format";
import type { PostedJob } from "../queries";
import { numberAt } from "../results/argumentAndResultColumns";
import { axesOf, flattenArguments, keyOf } from "./gridAxes";
import classes from "./SweepGrid.module.css";
import { type ValueScale, valueScale } from "./valueScale";

const STATE = "";

/** `results` are those of completed jobs by id, `paths` where they have numbers, `valuePath` the number that gives the colours. */
export function SweepGrid({
  jobs,
  results,
  paths,
  valuePath,
  setValuePath,
}: {
  jobs: PostedJob[];
  results: ReadonlyMap<string, unknown>;
  paths: string[];
  valuePath: string | undefined;
  setValuePath: (path: string | undefined) => void;
}) {
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
  const axisPaths = axes.map((axis) => axis.path);
  const values = new Map(
    valuePath === undefined
      ? []
      : jobs.flatMap(({ jobId }) => {
          const value = numberAt(results.get(jobId), valuePath);
          return value === null ? [] : [[jobId, value] as const];
        }),
  );
  const scale = valuePath === undefined ? null : valueScale([...values.values()]);
  return (
    <div>
      <Group gap="sm" mb="sm">
        {axes.length > 1 && (
          <>
            <Select
              label="Across"
              size="xs"
              w={160}
              data={axisPaths}
              value={across.path}
              allowDeselect={false}
              onChange={(value) => setChosen({ ...chosen, across: value ?? undefined })}
            />
            <Select
              label="Down"
              size="xs"
              w={160}
              data={axisPaths.filter((path) => path !== across.path)}
              value={down?.path ?? null}
              allowDeselect={false}
              onChange={(value) => setChosen({ ...chosen, down: value ?? undefined })}
            />
          </>
        )}
        {paths.length > 0 && (
          <Select
            label="Colour"
            size="xs"
            w={160}
            data={[
              { value: STATE, label: "by state" },
              ...paths.map((path) => ({ value: path, label: `by ${path}` })),
            ]}
            value={valuePath ?? STATE}
            allowDeselect={false}
            onChange={(path) => setValuePath(path || undefined)}
          />
        )}
        {scale ? (
          <ValueLegend scale={scale} path={valuePath ?? ""} values={values.size} />
        ) : (
          <Group gap="md" ml="auto" mt="auto">
            {["pending", "assigned", "running", "completed", "failed"].map((state) => (
              <Group key={state} gap={5}>
                <StateDot state={state} />
                <Text size="xs">{STATE_LABELS[state]}</Text>
              </Group>
            ))}
          </Group>
        )}
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
                        <GridCell
                          key={job.jobId}
                          job={job}
                          value={values.get(job.jobId)}
                          valuePath={valuePath}
                          colour={scale?.colour}
                        />
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

function ValueLegend({ scale, path, values }: { scale: ValueScale; path: string; values: number }) {
  return (
    <Group
      gap={6}
      ml="auto"
      mt="auto"
      role="img"
      aria-label={
        values ? `${path} from ${number(scale.min)} to ${number(scale.max)}` : `${path}: no values yet`
      }
    >
      <Text size="xs">{path}</Text>
      {values > 0 && (
        <>
          <Text size="xs" className="numbers">
            {number(scale.min)}
          </Text>
          <span className={classes.legend} style={{ background: scale.gradient }} />
          <Text size="xs" className="numbers">
            {number(scale.max)}
          </Text>
        </>
      )}
    </Group>
  );
}

function GridCell({
  job,
  value,
  valuePath,
  colour,
}: {
  job: PostedJob;
  value: number | undefined;
  valuePath: string | undefined;
  /** The colour of a value; undefined where states give the colours. */
  colour: ((value: number) => string) | undefined;
}) {
  const ran = job.executionTimeMs === null ? "" : ` in ${duration(job.executionTimeMs)}`;
  const label = `${STATE_LABELS[job.status]}${ran}${value === undefined ? "" : `: ${valuePath} ${number(value)}`}`;
  const fraction = job.status === "running" ? job.progress?.fraction : null;
  return (
    <Tooltip label={label}>
      <Link
        to="/jobs/$job"
        params={{ job: job.jobId }}
        className={classes.job}
        data-state={job.status}
        data-value={value}
        data-plain={(colour && value === undefined) || undefined}
        aria-label={`Job ${job.position}: ${label}`}
        style={
          {
            "--state": colour && value !== undefined ? colour(value) : `var(--wr-${job.status})`,
            "--part": fraction ? `${fraction * 100}%` : "100%",
          } as React.CSSProperties
        }
      />
    </Tooltip>
  );
}
