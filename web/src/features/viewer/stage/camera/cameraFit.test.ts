import { Vector3 } from "three";
import { expect, test } from "vitest";
import { AtomTextures, VISIBLE } from "../layers/atomTextures";
import { OrbitCamera } from "./camera";
import { CameraFit, type Extent } from "./cameraFit";

/** Two visible atoms so far apart. */
function pair(apart: number): Extent {
  const atoms = new AtomTextures();
  atoms.resize(2);
  atoms.setPositions([0, 0, 0, apart, 0, 0]);
  atoms.setRadii(() => 0.5);
  for (const atom of [0, 1]) atoms.colours[4 * atom + 3] = VISIBLE;
  return { atoms, corners: [], offsets: [[0, 0, 0]] };
}

function fitted(apart: number) {
  const camera = new OrbitCamera();
  camera.resize(800, 600);
  const view = new CameraFit(camera);
  view.fitFirst(pair(apart));
  return { camera, view };
}

const next = (view: CameraFit, extent: Extent) => {
  view.measure(extent);
  view.fitIfOther(extent);
};

test("a structure of another size is fitted, one of about the same size is not", () => {
  const { camera, view } = fitted(10);
  const { distance } = camera;
  next(view, pair(12));
  expect(camera.distance).toBe(distance);
  next(view, pair(40));
  expect(camera.distance).toBeGreaterThan(2 * distance);
  next(view, pair(10));
  expect(camera.distance).toBeCloseTo(distance);
});

test("a structure that grows in small steps is fitted once it has grown much", () => {
  const { camera, view } = fitted(10);
  const { distance } = camera;
  for (let apart = 11; apart <= 30; apart++) next(view, pair(apart));
  expect(camera.distance).toBeGreaterThan(1.5 * distance);
});

test("the camera that the room placed stays where it is", () => {
  const camera = new OrbitCamera();
  camera.resize(800, 600);
  const view = new CameraFit(camera);
  view.lookFrom(new Vector3(0, 0, 7), new Vector3(), new Vector3(0, 1, 0), 1);
  view.fitFirst(pair(10));
  next(view, pair(100));
  expect(camera.distance).toBeCloseTo(7);
});

test("after another person's camera the next structure of another size is fitted, and none before", () => {
  const { camera, view } = fitted(10);
  view.guide();
  camera.distance = 5;
  next(view, pair(40));
  expect(camera.distance).toBe(5);
  view.release();
  next(view, pair(42));
  expect(camera.distance).toBe(5);
  next(view, pair(10));
  expect(camera.distance).toBeGreaterThan(10);
});

test("a page that follows from the beginning fits what comes after it", () => {
  const camera = new OrbitCamera();
  camera.resize(800, 600);
  const view = new CameraFit(camera);
  view.guide();
  camera.distance = 5;
  view.fitFirst(pair(10));
  expect(camera.distance).toBe(5);
  view.release();
  next(view, pair(60));
  expect(camera.distance).toBeGreaterThan(60);
});

test("periodic images are in view, and hidden atoms need not be", () => {
  const { camera, view } = fitted(10);
  const { distance } = camera;
  view.fit({
    ...pair(10),
    offsets: [
      [0, 0, 0],
      [30, 0, 0],
    ],
  });
  expect(camera.distance).toBeGreaterThan(2 * distance);
  const half = pair(10);
  half.atoms.colours[4 + 3] = 0;
  view.fit(half);
  expect(camera.distance).toBeLessThan(distance);
});
