import { expect, it } from "vitest";
import { cancelNote } from "./cancelNote";

it("tells of a job that does not stop once it had time to", () => {
  const asked = new Date(10_000).toISOString();
  const running = {
    status: "running",
    cancelling: true,
    cancelRequestedAt: asked,
    finishedAt: null,
  } as const;
  expect(cancelNote(running, 12_000)).toBeNull();
  expect(cancelNote(running, 13_000)).toMatch(/may run on/);
  const ended = { cancelling: false, cancelRequestedAt: asked, finishedAt: new Date(20_000).toISOString() };
  expect(cancelNote({ ...ended, status: "completed" }, 30_000)).toMatch(/ran to its end/);
  expect(cancelNote({ ...ended, status: "cancelled" }, 30_000)).toBeNull();
  expect(cancelNote({ ...ended, status: "completed", cancelRequestedAt: null }, 30_000)).toBeNull();
});
