// Postings: their progress, failures and profiles.
import assert from "node:assert/strict";
import type { Request } from "@playwright/test";
import { note, test } from "../support/fixtures";

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
  await page.getByRole("button", { name: "Resume" }).waitFor();
  // What is paused or never ran has no rate.
  const figure = (name: string) =>
    page.getByText(name, { exact: true }).locator("xpath=following-sibling::*");
  assert.equal(await figure("Rate").textContent(), "–");
  const unused = await post();
  const other = await openPage({ session: admin });
  await other.goto(`/postings/${unused.postingId}`);
  await other.getByRole("button", { name: "Cancel" }).click();
  await other.getByText("cancelled", { exact: true }).first().waitFor();
  await other.getByText("Mean rate").waitFor();
  assert.equal(
    await other.getByText("Mean rate", { exact: true }).locator("xpath=following-sibling::*").textContent(),
    "–",
  );
  await page.getByRole("button", { name: "Resume" }).click();
  const old = await server.pool("1.0");
  await page.getByText("Took").waitFor();
  await page.getByText("finished, 2 of 80 failed").waitFor();
  // Its arguments are columns.
  await page.goto(`/postings/${first.postingId}`);
  await page.getByRole("table", { name: "Results" }).getByRole("button", { name: "argument 1" }).waitFor();
  // The chart has what ran before the page was opened, and the tab is in the address.
  await page.getByRole("img", { name: "Jobs a second" }).waitFor();
  await page.getByRole("tab", { name: "Failures" }).click();
  await page.waitForURL(/part=failures/);
  // Both failures have one group, with the traceback from the line that raised them on.
  const group = page.getByTestId("failures");
  await group.getByText(/^ValueError: sample \d+ is empty/).waitFor();
  assert.equal(await group.count(), 1);
  const traceback = group.getByRole("region", { name: "Traceback of ValueError" });
  assert.match((await traceback.textContent()) ?? "", /^ {2}File ".*functions\.py", line \d+, in measure\n/);
  await group.getByRole("button", { name: "Show the whole traceback" }).click();
  await traceback.getByText("Traceback (most recent call last)").waitFor();
  await group.getByRole("button", { name: "Show the 2 jobs" }).click();
  await group.getByRole("link", { name: "job 13", exact: true }).waitFor();
  await group.getByRole("link", { name: "job 53", exact: true }).waitFor();
  await group.getByRole("button", { name: /^Retry these 2 jobs/ }).click();
  await page.waitForURL((address) => !address.pathname.endsWith(first.postingId));
  await page.getByRole("heading", { name: "measure: retry of eighty samples" }).waitFor();
  await page.goBack();
  await page.waitForURL(/part=failures/);
  await page.goBack();
  await page.getByRole("table", { name: "Results" }).waitFor();
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
});
