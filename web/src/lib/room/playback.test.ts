import { expect, test } from "vitest";
import { clampStep, enterRoom, goTo, play, shiftStep, usePlayback } from "./playback";

test("a step is within the trajectory, counted from the end if negative", () => {
  expect(clampStep(-1, 5)).toBe(4);
  expect(clampStep(99, 5)).toBe(4);
  expect(clampStep(-99, 5)).toBe(0);
  expect(clampStep(3, 0)).toBe(0);
  expect(clampStep(Number.NaN, 5)).toBe(0);
});

test("one stays at the same frame when others come or go before it", () => {
  expect(shiftStep(5, [{ start: 0, removed: 0, added: 3 }])).toBe(8);
  expect(shiftStep(5, [{ start: 0, removed: 2, added: 0 }])).toBe(3);
  expect(shiftStep(5, [{ start: 10, removed: 0, added: 1 }])).toBe(5);
  expect(shiftStep(5, [{ start: 5, removed: 1, added: 1 }])).toBe(5);
  expect(shiftStep(5, [{ start: 4, removed: 4, added: 0 }])).toBe(4);
});

test("entering another room leaves nothing of the last one", () => {
  enterRoom("one");
  usePlayback.setState({ length: 8 });
  goTo(5);
  play(true);
  usePlayback.setState({ follow: false });
  expect(usePlayback.getState()).toMatchObject({ step: 5, playing: true });
  enterRoom("one");
  expect(usePlayback.getState().step).toBe(5);
  enterRoom("two");
  expect(usePlayback.getState()).toMatchObject({ step: 0, length: 0, playing: false, follow: true });
});

test("playing from the end starts at the beginning when it would end there", () => {
  enterRoom("three");
  usePlayback.setState({ length: 4, step: 3, ending: "stop" });
  play(true);
  expect(usePlayback.getState().step).toBe(0);
  usePlayback.setState({ ending: "loop" });
});
