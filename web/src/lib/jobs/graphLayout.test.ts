import { expect, test } from "vitest";
import { type Graph, placeNodes } from "./graphLayout";

test("a job stands behind everything that it needs", () => {
  const node = (id: string) => ({ id, createdAt: id }) as Graph["nodes"][number];
  const edge = (jobId: string, needs: string) => ({ jobId, needs, endedAt: null });
  const placed = placeNodes({
    nodes: ["d", "a", "b", "c"].map(node),
    edges: [edge("d", "a"), edge("d", "c"), edge("c", "b"), edge("b", "a")],
  });
  expect(placed.map(({ node: { id }, column, row }) => [id, column, row])).toEqual([
    ["a", 0, 0],
    ["b", 1, 0],
    ["c", 2, 0],
    ["d", 3, 0],
  ]);
  expect(placeNodes({ nodes: [node("a"), node("b")], edges: [] }).map(({ row }) => row)).toEqual([0, 1]);
});
