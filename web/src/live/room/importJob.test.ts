import { expect, it, vi } from "vitest";
import { importError } from "@/lib/room/fileImport";
import { importJob } from "./importJob";

const heard = vi.hoisted(() => new Set<(event: object) => void>());
const answers = vi.hoisted(() => [] as (object | Error)[]);

vi.mock("@/live/socket", () => ({
  getSocket: () => ({
    on: (_event: string, handler: (event: object) => void) => heard.add(handler),
    off: (_event: string, handler: (event: object) => void) => heard.delete(handler),
  }),
}));
vi.mock("@/lib/api/client", () => ({
  isNotFound: () => false,
  api: {
    GET: async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { data: answer };
    },
  },
}));

it("a file's job is waited for by its event, and a request that failed is made again", async () => {
  vi.useFakeTimers();
  answers.push(
    new Error("the server is away"),
    { jobId: "1", status: "running", finishedAt: null },
    { jobId: "1", status: "failed", finishedAt: "now", error: { message: "no structure\nmore" } },
  );
  const job = importJob("1", 3_600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answers).toHaveLength(1);
  for (const tell of heard) tell({ jobId: "2", finishedAt: "now" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(1);
  for (const tell of heard) tell({ jobId: "1", finishedAt: "now" });
  expect(importError(await job)).toBe("no structure");
  expect(heard.size).toBe(0);
  // Without an answer the end is not known.
  answers.push(new Error("the server is away"), new Error("the server is away"));
  const unknown = importJob("1", 5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(importError(await unknown)).toBeNull();
  vi.useRealTimers();
});
