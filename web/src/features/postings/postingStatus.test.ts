import { expect, it } from "vitest";
import { postingStatus } from "./postingStatus";

it("says how many jobs failed, if some did not", () => {
  const status = (completed: number, failed: number) =>
    postingStatus({ status: "failed", total: completed + failed, completed, failed });
  expect(status(999, 1)).toBe("finished, 1 of 1,000 failed");
  expect(status(1, 3)).toBe("3 of 4 failed");
  expect(status(0, 3)).toBe("failed");
  expect(postingStatus({ status: "completed", total: 3, completed: 3, failed: 0 })).toBe("finished");
  expect(postingStatus({ status: "paused", total: 3, completed: 1, failed: 1 })).toBe("paused");
});
