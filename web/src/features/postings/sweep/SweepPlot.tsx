// The results of a sweep against one of its parameters, in one line for each value of another.
import { Box, Group, Select, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { number } from "@/lib/format";
import type { ResultRow } from "../queries";
import { numberAt } from "../results/argumentAndResultColumns";
import { axesOf, flattenArguments, keyOf } from "./gridAxes";
import { plotScale } from "./plotScale";
import classes from "./SweepPlot.module.css";
import { valueScale } from "./valueScale";

const HEIGHT = 320;
const LEFT = 64;
const BOTTOM = 40;
const TOP = 10;
const RIGHT = 14;
/** A parameter with more values than this is not taken for the lines by itself. */
const MAX_LINES = 8;
const NO_LINES = "none";

interface Point {
  row: ResultRow;
  across: unknown;
  value: number;
  line: unknown;
}

/** `rows` have their arguments by name; `valuePath` is where their results have the number. */
export function SweepPlot({
  rows,
  paths,
  valuePath,
  setValuePath,
}: {
  rows: ResultRow[];
  paths: string[];
  valuePath: string;
  setValuePath: (path: string | undefined) => void;
}) {
  const axes = useMemo(() => axesOf(rows), [rows]);
  const [chosen, setChosen] = useState<{ across?: string; lines?: string }>({});
  const across = axes.find((axis) => axis.path === chosen.across) ?? axes.at(-1);
  const others = axes.filter((axis) => axis !== across);
  const lines =
    chosen.lines === undefined
      ? others.find((axis) => axis.values.length <= MAX_LINES)
      : others.find((axis) => axis.path === chosen.lines);
  const points = useMemo(
    () =>
      rows.flatMap((row): Point[] => {
        const value = row.status === "completed" ? numberAt(row.result, valuePath) : null;
        if (value === null || !across) return [];
        const data = flattenArguments(row.data);
        return [{ row, value, across: data.get(across.path), line: lines && data.get(lines.path) }];
      }),
    [rows, valuePath, across, lines],
  );
  if (!across) return <Text c="dimmed">All jobs have the same arguments.</Text>;
  return (
    <div>
      <Group gap="sm" mb="sm">
        <Select
          label="Result"
          size="xs"
          w={170}
          data={paths}
          value={valuePath}
          allowDeselect={false}
          onChange={(path) => setValuePath(path ?? undefined)}
        />
        <Select
          label="Against"
          size="xs"
          w={170}
          data={axes.map((axis) => axis.path)}
          value={across.path}
          allowDeselect={false}
          onChange={(value) => setChosen({ ...chosen, across: value ?? undefined })}
        />
        {others.length > 0 && (
          <Select
            label="One line for each"
            size="xs"
            w={170}
            data={[
              { value: NO_LINES, label: "no lines" },
              ...others.map((axis) => ({ value: axis.path, label: axis.path })),
            ]}
            value={lines?.path ?? NO_LINES}
            allowDeselect={false}
            onChange={(value) => setChosen({ ...chosen, lines: value ?? undefined })}
          />
        )}
      </Group>
      {points.length ? (
        <Drawing points={points} across={across.path} lines={lines?.values ?? []} valuePath={valuePath} />
      ) : (
        <Text size="sm" c="dimmed">
          No job has this result yet.
        </Text>
      )}
      {lines && (
        <Text size="xs" c="dimmed" mt={4}>
          {lines.path}
        </Text>
      )}
    </div>
  );
}

function Drawing({
  points,
  across,
  lines,
  valuePath,
}: {
  points: Point[];
  across: string;
  lines: unknown[];
  valuePath: string;
}) {
  const { ref, width } = useElementSize();
  const x = plotScale(
    points.map((point) => point.across),
    true,
  );
  const y = plotScale(
    points.map((point) => point.value),
    true,
  );
  const left = (share: number) => LEFT + share * Math.max(1, width - LEFT - RIGHT);
  const top = (share: number) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const place = (point: Point) => [left(x.place(point.across) ?? 0), top(y.place(point.value) ?? 0)] as const;
  const scale = valueScale(lines.map((_, at) => at));
  const colour = (line: unknown) => {
    const at = lines.findIndex((one) => keyOf(one) === keyOf(line));
    return at < 0 ? "var(--wr-running)" : scale.colour(at * 0.9);
  };
  const groups = [...Map.groupBy(points, (point) => keyOf(point.line)).values()].map((group) =>
    group.toSorted((one, other) => (x.place(one.across) ?? 0) - (x.place(other.across) ?? 0)),
  );
  return (
    <Box ref={ref}>
      <svg
        width="100%"
        height={HEIGHT}
        className={classes.plot}
        role="group"
        aria-label={`${valuePath} against ${across}: ${points.length} points`}
      >
        {y.ticks.map((tick) => (
          <g key={tick.at}>
            <line x1={LEFT} x2={width - RIGHT} y1={top(tick.at)} y2={top(tick.at)} className={classes.grid} />
            <text x={LEFT - 8} y={top(tick.at) + 4} textAnchor="end">
              {tick.label}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <g key={tick.at}>
            <line
              y1={TOP}
              y2={HEIGHT - BOTTOM}
              x1={left(tick.at)}
              x2={left(tick.at)}
              className={classes.grid}
            />
            <text x={left(tick.at)} y={HEIGHT - BOTTOM + 16} textAnchor="middle">
              {tick.label}
            </text>
          </g>
        ))}
        <text x={left(0.5)} y={HEIGHT - 4} textAnchor="middle" className={classes.name}>
          {across}
          {x.isLog && " (logarithmic)"}
        </text>
        <text
          transform={`translate(12 ${top(0.5)}) rotate(-90)`}
          textAnchor="middle"
          className={classes.name}
        >
          {valuePath}
          {y.isLog && " (logarithmic)"}
        </text>
        {groups.map((group) => (
          <g key={keyOf(group[0]!.line)} style={{ color: colour(group[0]!.line) }}>
            {isOneEach(group) && (
              <polyline
                points={group.map((point) => place(point).join(",")).join(" ")}
                className={classes.line}
              />
            )}
            {group.map((point) => {
              const [cx, cy] = place(point);
              const label = `Job ${point.row.position}: ${valuePath} ${number(point.value)} at ${across} ${keyOf(point.across)}`;
              return (
                <Link
                  key={point.row.jobId}
                  to="/jobs/$job"
                  params={{ job: point.row.jobId }}
                  aria-label={label}
                >
                  <circle cx={cx} cy={cy} r={4} className={classes.point}>
                    <title>{label}</title>
                  </circle>
                </Link>
              );
            })}
          </g>
        ))}
      </svg>
      <Group gap="md">
        {lines.map((line) => (
          <Group key={keyOf(line)} gap={5}>
            <span className={classes.dot} style={{ background: colour(line) }} aria-hidden />
            <Text size="xs">{typeof line === "string" ? line : keyOf(line)}</Text>
          </Group>
        ))}
      </Group>
    </Box>
  );
}

/** Whether a line through the points would not go up and down at the same value. */
function isOneEach(points: Point[]): boolean {
  return points.length > 1 && new Set(points.map((point) => keyOf(point.across))).size === points.length;
}
