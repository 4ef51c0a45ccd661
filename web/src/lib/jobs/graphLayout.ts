// Where the jobs and postings of a graph of dependencies are drawn: what a job needs on its left, what needs it on its right.
import type { Schemas } from "@/lib/api/client";

export type Graph = Schemas["DependencyGraph"];
export interface PlacedNode {
  node: Graph["nodes"][number];
  column: number;
  row: number;
}

/** The column of a job is one more than the largest of those that it needs, so that all lines lead to the right. */
export function placeNodes({ nodes, edges }: Graph): PlacedNode[] {
  const column = new Map(nodes.map((node) => [node.id, 0]));
  // Each round moves jobs behind those they need; a graph without cycles needs at most as many rounds as it has nodes.
  for (let round = 0; round < nodes.length; round += 1) {
    let moved = false;
    for (const edge of edges) {
      const least = (column.get(edge.needs) ?? 0) + 1;
      if ((column.get(edge.jobId) ?? 0) < least) {
        column.set(edge.jobId, least);
        moved = true;
      }
    }
    if (!moved) break;
  }
  const rows = new Map<number, number>();
  return [...nodes]
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt))
    .map((node) => {
      const at = column.get(node.id) ?? 0;
      const row = rows.get(at) ?? 0;
      rows.set(at, row + 1);
      return { node, column: at, row };
    });
}
