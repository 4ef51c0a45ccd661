import { expect, test } from "vitest";
import { type CameraView, sameView, viewBetween } from "./cameraFollow";

const FROM: CameraView = { target: [0, 0, 0], turn: [0, 0, 0, 1], distance: 10, flat: false, field: 30 };
const TO: CameraView = { target: [2, 4, -6], turn: [0, 1, 0, 0], distance: 40, flat: true, field: 50 };

test("a view between two views is half way, and its rotation has length one", () => {
  const middle = viewBetween(FROM, TO, 0.5);
  expect(middle.target).toEqual([1, 2, -3]);
  expect(middle.distance).toBeCloseTo(20);
  expect(middle.field).toBe(40);
  expect(middle.turn[1]).toBeCloseTo(Math.SQRT1_2);
  expect(Math.hypot(...middle.turn)).toBeCloseTo(1);
});

test("the way ends exactly at the other view", () => {
  expect(viewBetween(FROM, TO, 1)).toBe(TO);
  expect(sameView(TO, { ...TO, turn: [...TO.turn] })).toBe(true);
  expect(sameView(TO, { ...TO, target: [2, 4, -6.1] })).toBe(false);
});

test("opposite quaternions are one rotation, which does not turn on the way", () => {
  const { turn } = viewBetween(FROM, { ...FROM, turn: [0, 0, 0, -1] }, 0.5);
  expect(turn[3]).toBeCloseTo(1);
});
