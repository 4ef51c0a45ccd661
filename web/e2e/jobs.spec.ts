// Jobs and workers, as their pages show them.
import assert from "node:assert/strict";
import { expectClean, test, unique } from "./fixtures";

test("a running job is cancelled, and the jobs behind it move up", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const room = unique("cancel");
  await server.makeRoom(user, room);
  await server.worker(room);
  const { jobId } = await server.submit(user, room, "analysis/Endless");
  await server.job(user, jobId, "running");
  for (let more = 0; more < 3; more += 1) await server.submit(user, room, "analysis/PairHistogram");
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}`);
  const running = page.locator("[data-testid=job][data-status=running]");
  await page.locator("[data-testid=job][data-status=pending]").nth(2).waitFor();
  await page.getByText(/turn \d+/).waitFor();
  await page.getByText("2 jobs ahead").waitFor();
  await page.getByText("All workers are busy.").first().waitFor();
  await running.getByRole("button", { name: "Cancel Endless" }).click();
  await page.locator("[data-testid=job][data-status=cancelled]").waitFor();
  await page.locator("[data-testid=job][data-status=completed]").nth(2).waitFor();
  expectClean(page, server);
});

test("a failed job shows its traceback and is retried", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const room = unique("failures");
  await server.makeRoom(user, room);
  await server.worker(room);
  const { jobId } = await server.submit(user, room, "analysis/PairHistogram", { cutoff: 18 });
  await server.job(user, jobId, "failed");
  const page = await openPage({ session: user });
  // The card says why it failed, and the notice in the chat leads to the job.
  await page.goto(`/rooms/${room}`);
  await page.locator("[data-testid=job]").getByText("ValueError: cutoff 18.0 Å is larger").waitFor();
  await page.getByText("Chat", { exact: true }).first().click();
  await page.getByRole("link", { name: "Open the job" }).click();
  await page.waitForURL(`**/jobs/${jobId}`);
  // The table has arguments, outcomes and filters, which Back undoes.
  await page.goto(`/rooms/${room}/jobs?status=failed`);
  const row = page.locator("[role=row][data-status=failed]");
  await row.getByText("ValueError: cutoff 18.0 Å is larger").waitFor();
  await row.getByText("cutoff 18").first().waitFor();
  await page.getByRole("textbox", { name: "Extension" }).fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByText("No job matches these filters.").waitFor();
  await page.goBack();
  await row.waitFor();
  await page.getByRole("textbox", { name: "Extension" }).fill("pairhist");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=pairhist/);
  // Marked jobs are counted, confirmed and retried with one request; the new job fails, too.
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/api/jobs")) requests.push(request.url());
  });
  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Retry 1" }).click();
  await page.getByText("1 job will be submitted again").waitFor();
  await page.getByRole("button", { name: "Retry 1 job" }).click();
  await row.nth(1).getByText("ValueError").waitFor();
  assert.deepEqual(requests, [`${server.url}/api/jobs/bulk`, `${server.url}/api/jobs/bulk`]);
  await page.goto(`/jobs/${jobId}`);
  await page.getByText("ValueError: cutoff 18.0 Å is larger").first().waitFor();
  await page.getByRole("region", { name: "Traceback" }).getByText("raise ValueError").waitFor();
  await page.getByRole("button", { name: "Run once more" }).click();
  await page.waitForURL(
    (address) => !address.pathname.endsWith(jobId) && address.pathname.startsWith("/jobs/"),
  );
  await page.getByRole("link", { name: "the job before" }).waitFor();
  await page.getByRole("region", { name: "Traceback" }).waitFor();
  expectClean(page, server);
});

test("two browsers see the same", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const grace = await server.signIn("grete");
  const room = unique("together");
  await server.makeRoom(user, room);
  await server.worker(room);
  const hers = await openPage({ session: user });
  const theirs = await openPage({ session: grace });
  await hers.goto(`/rooms/${room}?ext=analysis/PairHistogram`);
  await theirs.goto(`/rooms/${room}/jobs`);
  await theirs.getByText("No jobs here").waitFor();
  await hers.getByRole("button", { name: "Run", exact: true }).click();
  await theirs.locator("[role=row][data-status=completed]").waitFor();
  await theirs.getByText("astrid").waitFor();
  // What came out is on the card and in the row, without a reload.
  await hers.locator("[data-testid=job]").getByText("peak 2.87").waitFor();
  await theirs.locator("[role=row]").getByText("peak 2.87").waitFor();
  expectClean(hers, server);
  expectClean(theirs, server);
});

test("the workers page shows the throughput of each worker", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const room = unique("busy");
  await server.makeRoom(user, room);
  await server.worker(room);
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}/workers`);
  const card = page.getByTestId("worker").filter({ hasText: "gpu-box" });
  await card.getByText("None ended in the last").waitFor();
  for (const data of [{ cutoff: 6 }, { cutoff: 7 }, { cutoff: 18 }]) {
    const { jobId } = await server.submit(user, room, "analysis/PairHistogram", data);
    await server.job(user, jobId, "completed", "failed");
  }
  const figure = card.getByTestId("throughput");
  await figure.getByText("3 ended (1 failed) in the last").waitFor();
  assert.ok(Number.parseFloat((await figure.textContent()) ?? "") > 0);
  expectClean(page, server);
});
