import { expect, test } from "vitest";
import { sampled, surfaceNets } from "./isosurface";

const OPEN = [false, false, false];

/** How many triangles each edge has; `key` names a vertex. */
function edgesOf(triangles: Uint32Array, key: (vertex: number) => string): number[] {
  const edges = new Map<string, number>();
  for (let at = 0; at < triangles.length; at += 3)
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const ends = [key(triangles[at + a]!), key(triangles[at + b]!)].sort().join(" ");
      edges.set(ends, (edges.get(ends) ?? 0) + 1);
    }
  return [...edges.values()];
}

function ball(n: number) {
  const values = new Float32Array(n ** 3);
  for (let x = 0; x < n; x++)
    for (let y = 0; y < n; y++)
      for (let z = 0; z < n; z++)
        values[(x * n + y) * n + z] = Math.hypot(x - n / 2, y - n / 2, z - n / 2) / n;
  return { values, shape: [n, n, n] as const };
}

test("the surface of a ball is closed and has the ball's radius", () => {
  const { positions, triangles } = surfaceNets(sampled(ball(24), 1, OPEN), 0.3);
  expect(triangles.length).toBeGreaterThan(300);
  expect(edgesOf(triangles, String).every((count) => count === 2)).toBe(true);
  for (let at = 0; at < positions.length; at += 3) {
    const radius = Math.hypot(positions[at]! - 0.5, positions[at + 1]! - 0.5, positions[at + 2]! - 0.5);
    expect(Math.abs(radius - 0.3)).toBeLessThan(0.02);
  }
});

test("there is no surface at a level that no value reaches", () => {
  expect(surfaceNets(sampled(ball(8), 1, OPEN), 9).triangles.length).toBe(0);
});

test("a thinned grid has fewer points, each where it was", () => {
  expect(sampled(ball(16), 2, OPEN).shape).toEqual([8, 8, 8]);
  const { shape, places } = sampled(ball(50), 4, OPEN);
  expect(shape).toEqual([13, 13, 13]);
  expect(places[0]!.at(-1)).toBeCloseTo(0.96);
});

test.each([1, 4])(
  "a surface through the faces of a periodic cell is closed, with every %i. point",
  (step) => {
    const n = 26;
    const values = new Float32Array(n ** 3);
    const away = (at: number) => Math.min(at, n - at) / n;
    for (let x = 0; x < n; x++)
      for (let y = 0; y < n; y++)
        for (let z = 0; z < n; z++) values[(x * n + y) * n + z] = Math.hypot(away(x), away(y), away(z));
    const grid = sampled({ values, shape: [n, n, n] }, step, [true, true, true]);
    const { positions, triangles } = surfaceNets(grid, 0.3);
    const inCell = (at: number) => Math.round((positions[at]! % 1) * 1e4);
    const vertex = (at: number) => [0, 1, 2].map((axis) => inCell(3 * at + axis)).join();
    expect(triangles.length).toBeGreaterThan(100);
    expect(edgesOf(triangles, vertex).every((count) => count === 2)).toBe(true);
    for (let at = 0; at < triangles.length; at += 3)
      for (const axis of [0, 1, 2]) {
        const three = [0, 1, 2].map((corner) => positions[3 * triangles[at + corner]! + axis]!);
        expect(Math.max(...three) - Math.min(...three)).toBeLessThan((2.1 * step) / n);
      }
  },
);
