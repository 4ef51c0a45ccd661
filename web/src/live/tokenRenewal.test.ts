import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepTokenRenewed } from "@/live/tokenRenewal";

const HOUR = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function renewal(outcomes: boolean[]) {
  const asked: number[] = [];
  const start = Date.now();
  let reconnect: () => void = () => undefined;
  const stop = keepTokenRenewed({
    expiresAt: start + HOUR,
    renew: async () => {
      asked.push(Date.now() - start);
      if (!outcomes.shift()) throw new Error("the server cannot be reached");
    },
    onReconnect: (act) => {
      reconnect = act;
      return () => undefined;
    },
  });
  return { asked, stop, reconnect: () => reconnect() };
}

test("a renewal that fails is repeated, in growing pauses, until one succeeds", async () => {
  const { asked } = renewal([false, false, true]);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(asked).toEqual([0.8 * HOUR, 0.8 * HOUR + 2_000, 0.8 * HOUR + 6_000]);
});

test("a new connection repeats a failed renewal at once, and none that has succeeded", async () => {
  const { asked, reconnect } = renewal([false, true]);
  await vi.advanceTimersByTimeAsync(0.8 * HOUR + 500);
  reconnect();
  await vi.advanceTimersByTimeAsync(0);
  reconnect();
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(asked).toEqual([0.8 * HOUR, 0.8 * HOUR + 500]);
});

test("no renewal is made once it is stopped", async () => {
  const { asked, stop } = renewal([false, false]);
  await vi.advanceTimersByTimeAsync(0.8 * HOUR);
  stop();
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(asked).toHaveLength(1);
});
