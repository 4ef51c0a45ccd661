import { expect, test } from "vitest";
import { DEFAULT_ROOM_APPEARANCE } from "../stage/appearance/style";
import { splitGeometries } from "./splitGeometries";

const usual = {
  particles: {
    type: "spheres",
    data: { position: "arrays.positions", scale: 0.7, radius: "covalent", color: "element" },
  },
  bonds: { type: "bonds", data: { cutoff: 1.2, radius: 0.12, periodic: true } },
  cell: { type: "cell", data: { color: "#808080" } },
};

test("a new room has the default appearance", () => {
  const { appearance, objects, keys } = splitGeometries(usual);
  expect(appearance).toMatchObject({
    atoms: true,
    bonds: true,
    cell: true,
    scale: 1,
    colour: null,
    colourBy: null,
  });
  expect(objects.size).toBe(0);
  expect(keys).toEqual([]);
  expect(splitGeometries({}).appearance).toEqual(DEFAULT_ROOM_APPEARANCE);
});

test("what was taken away or hidden is not drawn", () => {
  const { particles, cell } = usual;
  expect(splitGeometries({ particles, cell }).appearance.bonds).toBe(false);
  const hidden = { ...usual, cell: { type: "cell", data: { visible: false } } };
  expect(splitGeometries(hidden).appearance.cell).toBe(false);
});

test("atoms coloured by a value need that value of each frame", () => {
  const color = { key: "calc.charges", colormap: "coolwarm", minimum: -1, maximum: null };
  const shown = splitGeometries({
    ...usual,
    particles: { type: "spheres", data: { ...usual.particles.data, color } },
  });
  expect(shown.appearance.colourBy).toEqual({ key: "calc.charges", map: "coolwarm", min: -1, max: null });
  expect(shown.keys).toEqual(["calc.charges"]);
});

test("everything else stands beside the atoms", () => {
  const shown = splitGeometries({
    ...usual,
    forces: { type: "arrows", data: { position: "arrays.positions", direction: "calc.forces" } },
    marks: { type: "spheres", data: { position: [[0, 0, 0]] } },
    density: { type: "isosurface", data: { grid: "info.density" } },
    gone: { type: "box", data: { visible: false } },
    eye: { type: "camera", data: { position: [1, 2, 3] } },
  });
  expect([...shown.objects.keys()]).toEqual(["forces", "marks", "density"]);
  expect(shown.keys).toEqual(["calc.forces", "info.density"]);
  expect(shown.camera).toEqual({ position: [1, 2, 3] });
});
