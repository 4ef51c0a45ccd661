import { afterEach, beforeEach, expect, it, vi } from "vitest";

const open = async (address: string, answer: { ok: boolean; body?: unknown } | "unreachable") => {
  const { pathname, search, hash } = new URL(address, "http://server");
  const replaced: string[] = [];
  const fetched: unknown[] = [];
  vi.stubGlobal("location", { pathname, search, hash });
  vi.stubGlobal("history", {
    state: null,
    replaceState: (_state: unknown, _title: string, to: string) => replaced.push(to),
  });
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    fetched.push([path, JSON.parse(body)]);
    if (answer === "unreachable") throw new TypeError("no network");
    return { ok: answer.ok, json: async () => answer.body };
  });
  const { signInLink, signInFromLink } = await import("./oneTimeCodeSignIn");
  const { useSession } = await import("./session");
  await signInFromLink();
  return { signInLink, replaced, fetched, user: useSession.getState().user?.name ?? null };
};

const ADA = { token: "t", expiresIn: 60, user: { id: "1", name: "ada", role: "guest" } };

beforeEach(() => {
  vi.resetModules();
  const stored = new Map<string, string>();
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

it("signs in with the code, which leaves the address, and remembers what the link asks for", async () => {
  const found = await open("/rooms/demo?ext=a/B#code=abc&play&panel=chat&tour", { ok: true, body: ADA });
  expect(found.user).toBe("ada");
  expect(found.fetched).toEqual([["/api/login/code", { code: "abc" }]]);
  expect(found.replaced).toEqual(["/rooms/demo?ext=a/B"]);
  expect(found.signInLink).toEqual({ play: true, panel: "chat", tour: true });
});

it("does nothing without a code", async () => {
  const found = await open("/rooms/demo#page", { ok: true, body: ADA });
  expect([found.user, found.fetched, found.replaced]).toEqual([null, [], []]);
});

it("leaves a code that was used to the sign-in page", async () => {
  expect((await open("/#code=used", { ok: false })).user).toBeNull();
  expect((await open("/#code=late", "unreachable")).user).toBeNull();
});
