import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, describe, expect, it } from "vitest";
import { patch, refetch } from "@/live/queryCache";

const KEY = ["room", "lab", "things"];
const clients: QueryClient[] = [];

/** Something on the page that shows a query, and a server whose answers come when they are let. */
function shown() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  clients.push(client);
  const asked: { answer: (value: number) => Promise<void>; fail: () => Promise<void> }[] = [];
  const settled = () => new Promise<void>((done) => setTimeout(done, 5));
  const observer = new QueryObserver<number>(client, {
    queryKey: KEY,
    queryFn: () =>
      new Promise<number>((answer, fail) =>
        asked.push({
          answer: (value) => {
            answer(value);
            return settled();
          },
          fail: () => {
            fail(new Error("no"));
            return settled();
          },
        }),
      ),
  });
  observer.subscribe(() => undefined);
  return { client, asked, data: () => client.getQueryData(KEY), settled };
}

afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

describe("fetching again", () => {
  it("happens at once when nothing is under way", async () => {
    const { client, asked, data } = shown();
    await asked[0]!.answer(1);
    refetch(client, { queryKey: KEY });
    expect(asked).toHaveLength(2);
    await asked[1]!.answer(2);
    expect(data()).toBe(2);
  });

  it("happens once more after a first answer that may be from before", async () => {
    const { client, asked, data } = shown();
    for (let told = 0; told < 5; told++) refetch(client, { queryKey: KEY });
    expect(asked).toHaveLength(1);
    await asked[0]!.answer(1);
    expect(data()).toBe(1);
    expect(asked).toHaveLength(2);
    await asked[1]!.answer(2);
    expect(data()).toBe(2);
    expect(asked).toHaveLength(2);
  });

  it("lets every answer come, however often something happens", async () => {
    const { client, asked, data } = shown();
    for (let turn = 0; turn < 4; turn++) {
      refetch(client, { queryKey: KEY });
      refetch(client, { queryKey: KEY });
      await asked[turn]!.answer(turn);
      expect(data()).toBe(turn);
      expect(asked).toHaveLength(turn + 2);
    }
  });

  it("happens also after an answer that failed", async () => {
    const { client, asked, data } = shown();
    refetch(client, { queryKey: KEY });
    await asked[0]!.fail();
    await asked[1]!.answer(2);
    expect(data()).toBe(2);
  });

  it("leaves alone what nobody shows, until somebody does", async () => {
    const { client, asked, settled } = shown();
    client.setQueryData(["hidden"], 1);
    refetch(client, { queryKey: ["hidden"] });
    await settled();
    expect(client.getQueryState(["hidden"])?.isInvalidated).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it("is forgotten when the cache is cleared", async () => {
    const { client, asked } = shown();
    refetch(client, { queryKey: KEY });
    client.clear();
    await asked[0]!.answer(1);
    expect(asked).toHaveLength(1);
  });
});

describe("a change", () => {
  const atLeast = (least: number) => (known: number) => Math.max(known, least);

  it("is made to what is known", async () => {
    const { client, asked, data } = shown();
    await asked[0]!.answer(1);
    patch(client, { queryKey: KEY }, atLeast(7));
    expect(data()).toBe(7);
    expect(asked).toHaveLength(1);
  });

  it("is made to the first answer, too, which was given before it", async () => {
    const { client, asked, data } = shown();
    patch(client, { queryKey: KEY }, atLeast(7));
    expect(data()).toBeUndefined();
    await asked[0]!.answer(1);
    expect(data()).toBe(7);
  });

  it("is not undone by a later answer from before it", async () => {
    const { client, asked, data } = shown();
    await asked[0]!.answer(1);
    refetch(client, { queryKey: KEY });
    patch(client, { queryKey: KEY }, atLeast(7));
    patch(client, { queryKey: KEY }, atLeast(8));
    expect(data()).toBe(8);
    await asked[1]!.answer(2);
    expect(data()).toBe(8);
  });

  it("does not make fresh what is to be fetched again", async () => {
    const { client } = shown();
    client.setQueryData(["hidden"], 1);
    refetch(client, { queryKey: ["hidden"] });
    patch(client, { queryKey: ["hidden"] }, atLeast(7));
    expect(client.getQueryData(["hidden"])).toBe(7);
    expect(client.getQueryState(["hidden"])?.isInvalidated).toBe(true);
  });
});
