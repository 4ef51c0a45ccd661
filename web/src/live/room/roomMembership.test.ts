import { afterEach, beforeEach, expect, test, vi } from "vitest";

const asked: string[] = [];
let answers: object[] = [];
const socket = {
  id: "one",
  connected: true,
  on: () => undefined,
  timeout: () => ({
    emitWithAck: async (event: string) => {
      asked.push(event);
      return answers.shift() ?? { ok: true };
    },
  }),
};
vi.mock("@/lib/rootPath", () => ({ rootPath: "", serverUrl: "" }));
vi.mock("socket.io-client", () => ({ io: () => socket }));
const leave: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  asked.length = 0;
});
afterEach(() => {
  for (const act of leave.splice(0)) act();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function joined(room: string, refusals: object[]) {
  answers = refusals;
  const { joinedSocketId, keepJoined } = await import("@/live/room/roomMembership");
  leave.push(keepJoined(room));
  await vi.advanceTimersByTimeAsync(60_000);
  return joinedSocketId(room);
}

test("a room is joined although the server had a fault at first", async () => {
  const faults = [
    { ok: false, code: "error", message: "Something went wrong" },
    { ok: false, code: "unavailable", status: 503, message: "The database cannot be reached." },
  ];
  expect(await joined("lab", faults)).toBe("one");
  expect(asked.filter((event) => event === "room:join")).toHaveLength(3);
});

test("a room that the user may not see is asked for once", async () => {
  expect(
    await joined("secret", [{ ok: false, code: "forbidden", status: 403, message: "No." }]),
  ).toBeUndefined();
  expect(asked.filter((event) => event === "room:join")).toHaveLength(1);
});
