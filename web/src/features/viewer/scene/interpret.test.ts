import { expect, test } from "vitest";
import { PLAIN_ROOM } from "../stage/style";
import { interpret } from "./interpret";

const usual = {
  particles: {
    type: "spheres",
    data: { position: "arrays.positions", scale: 0.7, radius: "covalent", color: "element" },
  },
  bonds: { type: "bonds", data: { cutoff: 1.2, radius: 0.12, periodic: true } },
  cell: { type: "cell", data: { color: "#808080" } },
};

test("a new room looks as if nobody had said anything", () => {
  const { look, extras, keys } = interpret(usual);
  expect(look).toMatchObject({
    atoms: true,
    bonds: true,
    cell: true,
    scale: 1,
    colour: null,
    colourBy: null,
  });
  expect(extras.size).toBe(0);
  expect(keys).toEqual([]);
  expect(interpret({}).look).toEqual(PLAIN_ROOM);
});

test("what was taken away or hidden is not drawn", () => {
  const { particles, cell } = usual;
  expect(interpret({ particles, cell }).look.bonds).toBe(false);
  const hidden = { ...usual, cell: { type: "cell", data: { visible: false } } };
  expect(interpret(hidden).look.cell).toBe(false);
});

test("atoms coloured by a value need that value of each frame", () => {
  const color = { key: "calc.charges", colormap: "coolwarm", minimum: -1, maximum: null };
  const shown = interpret({
    ...usual,
    particles: { type: "spheres", data: { ...usual.particles.data, color } },
  });
  expect(shown.look.colourBy).toEqual({ key: "calc.charges", map: "coolwarm", min: -1, max: null });
  expect(shown.keys).toEqual(["calc.charges"]);
});

test("everything else stands beside the atoms", () => {
  const shown = interpret({
    ...usual,
    forces: { type: "arrows", data: { position: "arrays.positions", direction: "calc.forces" } },
    marks: { type: "spheres", data: { position: [[0, 0, 0]] } },
    density: { type: "isosurface", data: { grid: "info.density" } },
    gone: { type: "box", data: { visible: false } },
    eye: { type: "camera", data: { position: [1, 2, 3] } },
  });
  expect([...shown.extras.keys()]).toEqual(["forces", "marks", "density"]);
  expect(shown.keys).toEqual(["calc.forces", "info.density"]);
  expect(shown.camera).toEqual({ position: [1, 2, 3] });
});
