import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { queryKeys } from "@/lib/api/queryKeys";
import { applyPosting, type Posting, type PostingFilter, patchPostings } from "@/live/jobs/postingPatches";

const posting = (id: string, more: Partial<Posting> = {}): Posting =>
  ({
    postingId: id,
    status: "executing",
    total: 9,
    completed: 0,
    failed: 0,
    cancelled: 0,
    ...more,
  }) as Posting;

const page = (...items: Posting[]) => [{ items, next: null }];

describe("a list of postings", () => {
  it("shows how far each is", () => {
    const pages = patchPostings(page(posting("2"), posting("1")), posting("1", { completed: 4 }), {});
    expect(pages?.[0]?.items.map((one) => one.completed)).toEqual([0, 4]);
  });

  it("is fetched again when one is new, or fits no longer", () => {
    expect(patchPostings(page(posting("1")), posting("2"), {})).toBeUndefined();
    const open = { status: ["executing", "paused"] } satisfies PostingFilter;
    expect(patchPostings(page(posting("1")), posting("1", { status: "completed" }), open)).toBeUndefined();
  });

  it("stays when an old one moves that it has not come to, or one that it does not want", () => {
    const pages = page(posting("5"));
    expect(patchPostings(pages, posting("1"), {})).toBe(pages);
    expect(patchPostings(pages, posting("6"), { status: ["failed"] })).toBe(pages);
  });
});

describe("an event of a posting", () => {
  it("reaches its page and the lists", () => {
    const client = new QueryClient();
    client.setQueryData(queryKeys.postings("1"), posting("1", { active: 3 }));
    client.setQueryData(queryKeys.postings("list", {}), { pages: page(posting("1")) });
    const refetch = vi.fn();
    applyPosting(client, posting("1", { completed: 2 }), refetch);
    expect(client.getQueryData<Posting>(queryKeys.postings("1"))).toMatchObject({ completed: 2, active: 3 });
    expect(client.getQueryData(queryKeys.postings("list", {}))).toMatchObject({
      pages: [{ items: [{ completed: 2 }] }],
    });
    expect(refetch).not.toHaveBeenCalled();
    applyPosting(client, posting("2"), refetch);
    expect(refetch).toHaveBeenCalledWith(queryKeys.postings("list", {}));
  });

  it("does not bring back one that has ended", () => {
    const client = new QueryClient();
    client.setQueryData(queryKeys.postings("1"), posting("1", { status: "cancelled" }));
    applyPosting(client, posting("1"), vi.fn());
    expect(client.getQueryData<Posting>(queryKeys.postings("1"))?.status).toBe("cancelled");
  });
});
