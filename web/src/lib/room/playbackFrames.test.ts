import { expect, test } from "vitest";
import { along, isPlain, nextStep, type RouteSettings, routeOf } from "./playbackFrames";

const ALL: RouteSettings = { stride: 1, range: null, onlySelected: false, selected: [] };
const steps = (settings: Partial<RouteSettings>, length: number, start = 0, most = 8) => {
  const route = routeOf({ ...ALL, ...settings }, length);
  const visited = [start];
  for (let at = nextStep(start, route, 1, "stop"); at && visited.length < most; ) {
    visited.push(at.step);
    at = nextStep(at.step, route, at.direction, "stop");
  }
  return visited;
};

test("playing goes on, starts again, turns round or ends", () => {
  const ten = routeOf(ALL, 10);
  expect(nextStep(3, ten, 1, "loop")).toEqual({ step: 4, direction: 1 });
  expect(nextStep(9, ten, 1, "loop")).toEqual({ step: 0, direction: 1 });
  expect(nextStep(0, ten, -1, "loop")).toEqual({ step: 9, direction: -1 });
  expect(nextStep(9, ten, 1, "bounce")).toEqual({ step: 8, direction: -1 });
  expect(nextStep(0, ten, -1, "bounce")).toEqual({ step: 1, direction: 1 });
  expect(nextStep(9, ten, 1, "stop")).toBeNull();
  expect(nextStep(0, routeOf(ALL, 1), 1, "loop")).toBeNull();
});

test("each n-th frame is visited", () => {
  expect(steps({ stride: 4 }, 10)).toEqual([0, 4, 8]);
  expect(steps({ stride: 4 }, 10, 5)).toEqual([5, 8]);
  expect(nextStep(8, routeOf({ ...ALL, stride: 4 }, 10), 1, "loop")).toEqual({ step: 0, direction: 1 });
  expect(nextStep(0, routeOf({ ...ALL, stride: 4 }, 10), -1, "loop")).toEqual({ step: 8, direction: -1 });
  expect(nextStep(8, routeOf({ ...ALL, stride: 4 }, 10), 1, "bounce")).toEqual({ step: 4, direction: -1 });
});

test("a part of the trajectory is played, from wherever one is", () => {
  expect(steps({ range: { from: 3, to: 5 } }, 10)).toEqual([0, 3, 4, 5]);
  const route = routeOf({ ...ALL, range: { from: 3, to: 5 } }, 10);
  expect(nextStep(5, route, 1, "loop")).toEqual({ step: 3, direction: 1 });
  expect(nextStep(9, route, 1, "loop")).toEqual({ step: 3, direction: 1 });
  expect(along(route, 9, -1)).toBe(5);
  // A part beyond the end of a trajectory that became shorter.
  expect(routeOf({ ...ALL, range: { from: 30, to: 50 } }, 10)).toMatchObject({ first: 9, last: 9 });
});

test("only selected frames are played", () => {
  const selected = [7, 2, 2, 5, 99];
  expect(steps({ onlySelected: true, selected }, 10)).toEqual([0, 2, 5, 7]);
  expect(steps({ onlySelected: true, selected, stride: 2 }, 10)).toEqual([0, 2, 7]);
  expect(steps({ onlySelected: true, selected: [] }, 3)).toEqual([0, 1, 2]);
  expect(nextStep(4, routeOf({ ...ALL, onlySelected: true, selected: [4] }, 10), 1, "loop")).toBeNull();
});

test("a route that leaves nothing out is plain", () => {
  expect(isPlain(routeOf(ALL, 10), 10)).toBe(true);
  expect(isPlain(routeOf({ ...ALL, range: { from: 0, to: 9 } }, 10), 10)).toBe(true);
  expect(isPlain(routeOf({ ...ALL, stride: 2 }, 10), 10)).toBe(false);
});
