import { expect, test } from "vitest";
import { type FigureLink, linkedTargets, linkTarget, pointsOfFrame, traceValues } from "./figureLinks";

const frames: FigureLink = { trace: 0, to: "frames", indices: null, frame: null, selection: "particles" };
const chosen: FigureLink = { ...frames, trace: 1, indices: [0, 10, 20] };
const atoms: FigureLink = { ...frames, trace: 2, to: "atoms", frame: 3 };

test("a clicked point is a frame or an atom, by its own number or by the list", () => {
  const links = [frames, chosen, atoms];
  expect(linkTarget(links, 0, 7)).toEqual({ to: "frames", index: 7, frame: null });
  expect(linkTarget(links, 1, 2)).toEqual({ to: "frames", index: 20, frame: null });
  expect(linkTarget(links, 2, 5)).toEqual({ to: "atoms", index: 5, frame: 3 });
  expect(linkTarget(links, 1, 9)).toBeNull();
  expect(linkTarget(links, 8, 0)).toBeNull();
});

test("points within a lasso are frames and atoms, each once", () => {
  const points = [
    { trace: 0, point: 7 },
    { trace: 1, point: 1 },
    { trace: 1, point: 0 },
    { trace: 0, point: 10 },
    { trace: 2, point: 5 },
    { trace: 9, point: 0 },
  ];
  expect(linkedTargets([frames, chosen, atoms], points)).toEqual({ frames: [0, 7, 10], atoms: [5] });
  expect(linkedTargets([], points)).toEqual({ frames: [], atoms: [] });
});

test("the current frame is marked where it is a point", () => {
  expect(pointsOfFrame([frames, chosen, atoms], 10)).toEqual([
    { trace: 0, point: 10 },
    { trace: 1, point: 1 },
  ]);
  expect(pointsOfFrame([chosen], 5)).toEqual([]);
});

test("values are lists or packed arrays", () => {
  expect(traceValues([1, 2])).toEqual([1, 2]);
  const packed = btoa(String.fromCharCode(...new Uint8Array(Float64Array.from([0.5, -2]).buffer)));
  expect(Array.from(traceValues({ dtype: "f8", bdata: packed }) as Float64Array)).toEqual([0.5, -2]);
  expect(traceValues({ dtype: "O", bdata: "" })).toBeNull();
  expect(traceValues("text")).toBeNull();
});
