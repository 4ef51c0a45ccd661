import { expect, test } from "vitest";
import type { Frame } from "@/lib/frames";
import { FrameCache } from "./frameCache";

const KEYS = new Set(["arrays.positions"]);

function frame(name: string, bytes = 0): Frame {
  return new Map<string, Frame extends ReadonlyMap<string, infer V> ? V : never>([
    ["info.name", name],
    ["arrays.positions", { dtype: "|u1", shape: [bytes], data: new Uint8Array(bytes) }],
  ]);
}

function filled(names: string, asOf = 1): FrameCache {
  const cache = new FrameCache(1e9);
  [...names].forEach((name, index) => {
    cache.put(index, frame(name), KEYS, asOf);
  });
  return cache;
}

function names(cache: FrameCache, length: number): string {
  return Array.from({ length }, (_, index) => cache.get(index, KEYS)?.get("info.name") ?? "·").join("");
}

test("inserted frames move those behind them", () => {
  const cache = filled("abcd");
  cache.splice([{ start: 1, removed: 0, added: 2 }], 2);
  expect(names(cache, 6)).toBe("a··bcd");
});

test("removed frames are forgotten, those behind them move up", () => {
  const cache = filled("abcdef");
  cache.splice([{ start: 1, removed: 2, added: 0 }], 2);
  expect(names(cache, 6)).toBe("adef··");
});

test("replaced frames are forgotten", () => {
  const cache = filled("abcd");
  cache.splice([{ start: 1, removed: 2, added: 2 }], 2);
  expect(names(cache, 4)).toBe("a··d");
});

test("splices apply one after the other", () => {
  const cache = filled("abcdef");
  cache.splice(
    [
      { start: 0, removed: 1, added: 0 },
      { start: 1, removed: 1, added: 0 },
      { start: 2, removed: 0, added: 1 },
    ],
    2,
  );
  expect(names(cache, 6)).toBe("bd·ef·");
});

test("a frame that was answered after a change is not moved by it again", () => {
  const cache = filled("abc", 1);
  cache.put(1, frame("X"), KEYS, 2); // the answer overtook the event of revision 2, an insert at 1
  cache.splice([{ start: 1, removed: 0, added: 1 }], 2);
  expect(names(cache, 4)).toBe("aX·c");
});

test("an answer from before a change does not replace a newer one", () => {
  const cache = filled("abc", 1);
  cache.splice([], 5);
  cache.put(0, frame("old"), KEYS, 3);
  expect(names(cache, 3)).toBe("abc");
});

test("appended frames leave everything where it is", () => {
  const cache = filled("abc");
  cache.splice([{ start: 3, removed: 0, added: 1 }], 2);
  expect(names(cache, 4)).toBe("abc·");
});

test("a frame fetched without a key that is wanted now is not enough, but can be looked at", () => {
  const cache = filled("a");
  expect(cache.get(0, ["arrays.positions", "calc.forces"])).toBeUndefined();
  expect(cache.getPartial(0)).toBeDefined();
});

test("too much is dropped from the far end", () => {
  const cache = new FrameCache(5_000);
  for (let index = 0; index < 10; index++) cache.put(index, frame(String(index), 1_000), KEYS, 1);
  cache.trim(2);
  expect(names(cache, 10)).toBe("·123······");
  expect(cache.meanBytes).toBeGreaterThan(1_000);
});
