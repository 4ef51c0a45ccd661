import { expect, test, vi } from "vitest";

vi.mock("@/lib/rootPath", () => ({ rootPath: "", serverUrl: "" }));

test("the same announcement twice is two announcements", async () => {
  const { announce, useAnnouncement } = await import("@/live/browserNotifications");
  announce("Relax finished");
  const first = useAnnouncement.getState();
  announce("Relax finished");
  const second = useAnnouncement.getState();
  expect(second.text).toBe(first.text);
  expect(second.number).not.toBe(first.number);
});
