import { Vector3 } from "three";
import { expect, test } from "vitest";
import { differsMuch } from "./bounds";
import { OrbitCamera } from "./camera";

const sphere = (radius: number, x = 0) => ({ centre: new Vector3(x, 0, 0), radius });

test("the camera is fitted again when the extent changes much, and never otherwise", () => {
  expect(differsMuch(sphere(5), sphere(5.5, 1))).toBe(false);
  expect(differsMuch(sphere(5), sphere(10, 5))).toBe(true);
  expect(differsMuch(sphere(10), sphere(2))).toBe(true);
  expect(differsMuch(sphere(5), sphere(5, 20))).toBe(true);
});

test("what is fitted stays clear of the toolbar", () => {
  const points = new Float32Array([-10, 0, 0, 0, 10, 0, 0, 0]);
  for (const flat of [false, true])
    for (const [width, height] of [
      [800, 600],
      [390, 600],
    ] as const) {
      const camera = new OrbitCamera();
      camera.flat = flat;
      camera.resize(width, height);
      camera.fit(new Vector3(), points, 4, 0.8, 52);
      camera.update(new Vector3(), 20);
      const right = new Vector3(10, 0, 0).project(camera.camera);
      expect(((right.x + 1) / 2) * width).toBeLessThan(width - 52);
      expect(((right.x + 1) / 2) * width).toBeGreaterThan(width - 52 - width * 0.15);
    }
});

test.each([false, true])(
  "a point of the screen lies in the plane of the target (orthographic: %s)",
  (flat) => {
    const camera = new OrbitCamera();
    camera.flat = flat;
    camera.resize(400, 200);
    camera.target.set(1, 2, 3);
    camera.lookFrom(new Vector3(1, 1, 0), new Vector3(0, 0, 1));
    camera.update(new Vector3(), 10);
    const middle = camera.focusPoint(0, 0);
    expect(middle.map((part) => Math.round(part * 1e6) / 1e6)).toEqual([1, 2, 3]);
    const point = new Vector3(...camera.focusPoint(0.5, -0.4));
    expect(
      point
        .clone()
        .sub(camera.target)
        .dot(new Vector3(1, 1, 0)),
    ).toBeCloseTo(0);
    expect(point.project(camera.camera).x).toBeCloseTo(0.5);
  },
);
