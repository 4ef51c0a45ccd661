import { expect, test } from "vitest";
import type { Geometry } from "../scene/splitGeometries";
import {
  editedPoints,
  freeKey,
  geometryOf,
  keyRefusal,
  nearestPlace,
  shapeOf,
  shapeRefusal,
} from "./pointGeometry";

const curve: Geometry = {
  type: "curve",
  data: {
    points: [
      [0, 0, 0],
      [1, 2, 3],
    ],
    color: "#112233",
  },
};

test("curves and spheres at given places can be edited; what follows the frame cannot", () => {
  expect(shapeOf(curve)).toMatchObject({
    kind: "curve",
    points: [
      [0, 0, 0],
      [1, 2, 3],
    ],
  });
  expect(shapeOf({ type: "spheres", data: { position: [[1, 1, 1]] } })?.kind).toBe("points");
  expect(shapeOf({ type: "spheres", data: { position: "arrays.positions" } })).toBeNull();
  expect(shapeOf({ type: "arrows", data: { position: [[1, 1, 1]] } })).toBeNull();
});

test("an edit changes the points and keeps the other fields", () => {
  const seen = shapeOf(curve)!.points;
  expect(editedPoints(curve, seen, [[9, 9, 9]])).toEqual({
    type: "curve",
    data: { points: [[9, 9, 9]], color: "#112233" },
  });
});

test("an edit of points that another client has changed or removed is refused", () => {
  expect(() => editedPoints(null, [], [])).toThrow("removed");
  expect(() => editedPoints(curve, [[0, 0, 0]], [])).toThrow("changed in the meantime");
});

test("drawn points are small spheres", () => {
  expect(geometryOf({ kind: "points", points: [[1, 2, 3]], data: {} })).toEqual({
    type: "spheres",
    data: { radius: 0.25, scale: 1, color: "#8e24aa", position: [[1, 2, 3]] },
  });
});

test("names and numbers of points are checked before anything is sent", () => {
  expect(freeKey(["curve", "curve-2"], "curve")).toBe("curve-3");
  expect(freeKey([], "points")).toBe("points");
  expect(keyRefusal("path", ["cell"])).toBeNull();
  for (const key of ["", "a/b", "schemas", "cell"]) expect(keyRefusal(key, ["cell"])).not.toBeNull();
  expect(shapeRefusal({ kind: "curve", points: [[0, 0, 0]] })).toContain("two points");
  expect(shapeRefusal({ kind: "points", points: [[0, 0, 0]] })).toBeNull();
});

test("a click takes the nearest point within reach", () => {
  const places = [{ x: 0, y: 0 }, null, { x: 10, y: 0 }];
  expect(nearestPlace(places, { x: 7, y: 0 }, 8)).toBe(2);
  expect(nearestPlace(places, { x: 100, y: 0 }, 8)).toBe(-1);
});
