// Postings: their progress, failures and profiles.
import assert from "node:assert/strict";
import type { Request } from "@playwright/test";
import { expectClean, note, test } from "./fixtures";

test("a posting's page follows its events and polls nothing", async ({ server, openPage }) => {
  const admin = await server.admin();
  const page = await openPage({ session: admin });
  const calls = Array.from({ length: 60 }, (_, at) => ({ args: [at] }));
  const { postingId } = await server.call("POST", "/api/postings", {
    token: admin.token,
    body: { function: "ponder", label: "sixty thoughts", jobs: calls },
  });
  await page.goto(`/postings/${postingId}`);
  const finished = page.getByTestId("figure-finished");
  await finished.getByText("0", { exact: true }).waitFor();
  await page.getByRole("row").nth(60).waitFor();
  const asked: string[] = [];
  const record = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/postings")) asked.push(pathname.split("/").slice(3).join("/"));
  };
  page.on("request", record);
  const seen = new Set<string | null>();
  const pool = await server.pool("1.0");
  await page.getByRole("img", { name: "Jobs a second" }).waitFor();
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    seen.add(await finished.textContent());
    if (await page.getByText("Took").isVisible()) break;
    await page.waitForTimeout(50);
  }
  await finished.getByText("60", { exact: true }).waitFor();
  await server.stop(pool);
  assert.ok(seen.size > 8, `only ${[...seen]} were seen`);
  assert.deepEqual(
    asked.filter((path) => path === postingId),
    [],
    "how far it is comes by event",
  );
  assert.ok(asked.length <= 6, `asked for ${asked}`);
  await page.waitForTimeout(500);
  const before = asked.length;
  await page.waitForTimeout(2_000);
  assert.equal(asked.length, before, "nothing is asked for once it has ended");
  page.off("request", record);
  note(`${asked.length} requests while 60 jobs ended`);
  expectClean(page, server);
});

test("a posting is paused and resumed, and two versions of its profile are compared", async ({
  server,
  openPage,
}) => {
  const admin = await server.admin();
  const calls = (from: number) => Array.from({ length: 80 }, (_, at) => ({ args: [from + at] }));
  const page = await openPage({ session: admin });
  const post = () =>
    server.call("POST", "/api/postings", {
      token: admin.token,
      body: { function: "measure", label: "eighty samples", jobs: calls(0) },
    });
  const first = await post();
  await page.goto(`/postings/${first.postingId}`);
  await page.getByText("executing").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  const old = await server.pool("1.0");
  await page.getByText("Took").waitFor();
  await page.getByRole("tab", { name: "Failures" }).click();
  await page.getByText("sample 13 is empty").first().waitFor();
  await server.stop(old);
  const second = await post();
  const now = await server.pool("2.0");
  await server.posting(admin, second.postingId, "completed", "failed");
  await server.stop(now);
  await page.goto("/profiles");
  await page.getByRole("link", { name: "measure" }).click();
  await page
    .getByRole("table", { name: /Functions/ })
    .getByText("smooth", { exact: true })
    .click();
  await page.getByText("Who calls smooth").waitFor();
  await page.getByRole("tab", { name: "Icicle" }).click();
  await page.locator(".icicle rect").nth(3).waitFor();
  await page.getByRole("tab", { name: "Compare" }).click();
  const table = page.getByRole("table", { name: "What changed" });
  await table.getByText("smooth", { exact: true }).waitFor();
  expectClean(page, server);
});
