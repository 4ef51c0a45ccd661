import { expect, test } from "vitest";
import { enter, goTo, moved, next, play, usePlayback, within } from "./playback";

test("playing goes on, starts again, turns round or ends", () => {
  expect(next(3, 10, 1, "loop")).toEqual({ step: 4, direction: 1 });
  expect(next(9, 10, 1, "loop")).toEqual({ step: 0, direction: 1 });
  expect(next(0, 10, -1, "loop")).toEqual({ step: 9, direction: -1 });
  expect(next(9, 10, 1, "bounce")).toEqual({ step: 8, direction: -1 });
  expect(next(0, 10, -1, "bounce")).toEqual({ step: 1, direction: 1 });
  expect(next(9, 10, 1, "stop")).toBeNull();
  expect(next(0, 1, 1, "loop")).toBeNull();
});

test("a step is within the trajectory, counted from the end if negative", () => {
  expect(within(-1, 5)).toBe(4);
  expect(within(99, 5)).toBe(4);
  expect(within(-99, 5)).toBe(0);
  expect(within(3, 0)).toBe(0);
  expect(within(Number.NaN, 5)).toBe(0);
});

test("one stays at the same frame when others come or go before it", () => {
  expect(moved(5, [{ start: 0, removed: 0, added: 3 }])).toBe(8);
  expect(moved(5, [{ start: 0, removed: 2, added: 0 }])).toBe(3);
  expect(moved(5, [{ start: 10, removed: 0, added: 1 }])).toBe(5);
  expect(moved(5, [{ start: 5, removed: 1, added: 1 }])).toBe(5);
  expect(moved(5, [{ start: 4, removed: 4, added: 0 }])).toBe(4);
});

test("entering another room leaves nothing of the last one", () => {
  enter("one");
  usePlayback.setState({ length: 8 });
  goTo(5);
  play(true);
  expect(usePlayback.getState()).toMatchObject({ step: 5, playing: true });
  enter("one");
  expect(usePlayback.getState().step).toBe(5);
  enter("two");
  expect(usePlayback.getState()).toMatchObject({ step: 0, length: 0, playing: false });
});

test("playing from the end starts at the beginning when it would end there", () => {
  enter("three");
  usePlayback.setState({ length: 4, step: 3, ending: "stop" });
  play(true);
  expect(usePlayback.getState().step).toBe(0);
  usePlayback.setState({ ending: "loop" });
});
