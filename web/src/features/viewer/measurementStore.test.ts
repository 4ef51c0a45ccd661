import { beforeEach, expect, test } from "vitest";
import { forgetMeasurement, keepMeasurement, keptMeasurements, useMeasurements } from "./measurementStore";

const kept = (room: string) => keptMeasurements(room)(useMeasurements.getState());

beforeEach(() => useMeasurements.setState({ byRoom: {} }));

test("measurements are kept by room, each once, and forgotten singly", () => {
  keepMeasurement("water", [0, 1]);
  keepMeasurement("water", [0, 1]);
  keepMeasurement("water", [1, 0, 2]);
  keepMeasurement("copper", [4, 5]);
  expect(kept("water")).toEqual([
    [0, 1],
    [1, 0, 2],
  ]);
  forgetMeasurement("water", kept("water")[0]!);
  expect(kept("water")).toEqual([[1, 0, 2]]);
  expect(kept("copper")).toEqual([[4, 5]]);
});

test("one atom or five are no measurement", () => {
  keepMeasurement("water", [0]);
  keepMeasurement("water", [0, 1, 2, 3, 4]);
  expect(kept("water")).toEqual([]);
});

test("the rooms that were measured longest ago are forgotten", () => {
  for (let room = 0; room < 40; room++) keepMeasurement(`room${room}`, [0, 1]);
  expect(Object.keys(useMeasurements.getState().byRoom).length).toBe(30);
  expect(kept("room39")).toEqual([[0, 1]]);
  expect(kept("room0")).toEqual([]);
});
