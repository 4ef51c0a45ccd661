// What a job depends on and what depends on it, drawn from left to right. Every box leads to its job or posting.
import { Text } from "@mantine/core";
import { STATE_LABELS, StateDot } from "@/components/jobs/StateBadge";
import { CardLink } from "@/components/RouterLinks";
import { type Graph, type PlacedNode, placeNodes } from "@/lib/jobs/graphLayout";
import classes from "./JobGraph.module.css";

const WIDTH = 190;
const HEIGHT = 46;
const GAP_X = 50;
const GAP_Y = 12;

const left = ({ column }: PlacedNode) => column * (WIDTH + GAP_X);
const top = ({ row }: PlacedNode) => row * (HEIGHT + GAP_Y);

export function JobGraph({ graph, jobId }: { graph: Graph; jobId: string }) {
  const placed = placeNodes(graph);
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const width = Math.max(...placed.map(left)) + WIDTH;
  const height = Math.max(...placed.map(top)) + HEIGHT;
  return (
    <section className={classes.box} aria-label="Graph of dependencies" tabIndex={0}>
      <div style={{ position: "relative", width, height }}>
        <svg width={width} height={height} className={classes.lines} aria-hidden="true">
          {graph.edges.map((edge) => {
            const [from, to] = [byId.get(edge.needs), byId.get(edge.jobId)];
            if (!from || !to) return null;
            const [x1, y1] = [left(from) + WIDTH, top(from) + HEIGHT / 2];
            const [x2, y2] = [left(to), top(to) + HEIGHT / 2];
            const bend = (x2 - x1) / 2;
            return (
              <path
                key={`${edge.needs} ${edge.jobId}`}
                d={`M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`}
                data-open={edge.endedAt === null || undefined}
              />
            );
          })}
        </svg>
        {placed.map((one) => (
          <Box key={one.node.id} placed={one} current={one.node.id === jobId} />
        ))}
      </div>
    </section>
  );
}

function Box({ placed, current }: { placed: PlacedNode; current: boolean }) {
  const { node } = placed;
  const place = {
    position: "absolute",
    left: left(placed),
    top: top(placed),
    width: WIDTH,
    height: HEIGHT,
  } as const;
  const content = (
    <>
      <Text size="sm" fw={560} truncate>
        <StateDot state={node.status} /> {node.name}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {node.kind === "posting" ? "posting" : node.category},{" "}
        {(STATE_LABELS[node.status] ?? node.status).toLowerCase()}
      </Text>
    </>
  );
  const props = {
    p: 6,
    style: place,
    "aria-current": current || undefined,
    className: `surface ${classes.node}`,
  };
  return node.kind === "posting" ? (
    <CardLink to="/postings/$posting" params={{ posting: node.id }} {...props}>
      {content}
    </CardLink>
  ) : (
    <CardLink to="/jobs/$job" params={{ job: node.id }} {...props}>
      {content}
    </CardLink>
  );
}
