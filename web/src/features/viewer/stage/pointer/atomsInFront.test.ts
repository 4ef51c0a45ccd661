import { expect, test } from "vitest";
import { OrbitCamera } from "../camera/camera";
import { AtomTextures, VISIBLE } from "../layers/atomTextures";
import { atomsInFront } from "./atomsInFront";

function textures(places: readonly (readonly number[])[], radius: number): AtomTextures {
  const atoms = new AtomTextures();
  atoms.resize(places.length);
  atoms.setPositions(places.flat());
  atoms.setRadii(() => radius);
  for (let atom = 0; atom < places.length; atom++) atoms.colours[4 * atom + 3] = VISIBLE;
  return atoms;
}

function eye(flat: boolean) {
  const camera = new OrbitCamera();
  camera.flat = flat;
  camera.resize(800, 600);
  camera.update(camera.target, 10);
  const { matrixWorldInverse: view, projectionMatrix: projection } = camera.camera;
  return { view, projection, width: 800, height: 600 };
}

const HERE = [[0, 0, 0]] as const;

test.each([true, false])(
  "an atom behind another is left out, one beside it is not (orthographic: %s)",
  (flat) => {
    // The camera looks down from z = 20.
    const atoms = textures(
      [
        [0, 0, 2],
        [0, 0, -2],
        [0.9, 0, -2],
        [0, 3, 0],
      ],
      0.5,
    );
    expect(atomsInFront(atoms, HERE, eye(flat), [0, 1, 2, 3])).toEqual([0, 2, 3]);
    // A hidden or a translucent atom hides nothing.
    atoms.colours[3] = 0;
    expect(atomsInFront(atoms, HERE, eye(flat), [1])).toEqual([1]);
    atoms.colours[3] = VISIBLE | (3 << 4);
    expect(atomsInFront(atoms, HERE, eye(flat), [0, 1])).toEqual([0, 1]);
    // Its image covers it.
    expect(
      atomsInFront(
        textures([[0, 0, 0]], 0.5),
        [
          [0, 0, 0],
          [0, 0, 4],
        ],
        eye(flat),
        [0],
      ),
    ).toEqual([0]);
  },
);

test("100,000 atoms are sorted out within 300 ms", () => {
  const many = textures(
    Array.from({ length: 100_000 }, (_, atom) => [
      (atom % 47) / 5,
      (Math.floor(atom / 47) % 47) / 5,
      -Math.floor(atom / 2209) / 5,
    ]),
    0.3,
  );
  const started = process.cpuUsage();
  const seen = atomsInFront(
    many,
    HERE,
    eye(false),
    Array.from({ length: 100_000 }, (_, atom) => atom),
  );
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(300);
  expect(seen.length).toBeGreaterThan(1_000);
  expect(seen.length).toBeLessThan(20_000);
});
