import { expect, test } from "vitest";
import { downsample, surfaceNets } from "./isosurface";

function ball(n: number) {
  const values = new Float32Array(n ** 3);
  for (let x = 0; x < n; x++)
    for (let y = 0; y < n; y++)
      for (let z = 0; z < n; z++)
        values[(x * n + y) * n + z] = Math.hypot(x - n / 2, y - n / 2, z - n / 2) / n;
  return { values, shape: [n, n, n] as const };
}

test("the surface of a ball is closed and has the ball's radius", () => {
  const { positions, triangles } = surfaceNets(ball(24), 0.3);
  const edges = new Map<string, number>();
  for (let at = 0; at < triangles.length; at += 3)
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const ends = [triangles[at + a]!, triangles[at + b]!].sort((p, q) => p - q).join();
      edges.set(ends, (edges.get(ends) ?? 0) + 1);
    }
  expect(triangles.length).toBeGreaterThan(300);
  expect([...edges.values()].every((count) => count === 2)).toBe(true);
  for (let at = 0; at < positions.length; at += 3) {
    const radius = Math.hypot(positions[at]! - 0.5, positions[at + 1]! - 0.5, positions[at + 2]! - 0.5);
    expect(Math.abs(radius - 0.3)).toBeLessThan(0.02);
  }
});

test("there is no surface at a level that no value reaches", () => {
  expect(surfaceNets(ball(8), 9).triangles.length).toBe(0);
});

test("a thinned grid has fewer points and the same extent", () => {
  expect(downsample(ball(16), 2).shape).toEqual([8, 8, 8]);
  expect(downsample(ball(16), 1).shape).toEqual([16, 16, 16]);
});
