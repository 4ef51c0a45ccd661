import { expect, it } from "vitest";
import { rateSeries } from "./rateSeries";

const live = { times: [99, 106, 107], values: [[1, 5, 6]] };

it("begins with the history and goes on with what the page saw after it", () => {
  const items = [{ at: new Date(100_000).toISOString(), completed: 8, failed: 2, cancelled: 7 }];
  const history = { since: new Date(95_000).toISOString(), stepSeconds: 5, items } as never;
  expect(rateSeries(history, 105_000, live)).toEqual({
    times: [97.5, 102.5, 106, 107],
    values: [[0, 2, 5, 6]],
  });
});

it("is what the page saw without a history", () => {
  expect(rateSeries(undefined, 0, live)).toBe(live);
});
