// Jobs and workers, as their pages show them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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
  // Words of the arguments, the order and the errors filter the list, too; all of it is in the address.
  await page.getByRole("textbox", { name: "Search" }).fill("CUTOFF 18");
  await page.keyboard.press("Enter");
  await page.waitForURL(/text=CUTOFF/);
  await row.waitFor();
  await page.getByRole("button", { name: "Ran", exact: true }).click();
  await page.waitForURL(/sort=duration/);
  await page.locator('[role=columnheader][aria-sort="descending"]').getByText("Ran").waitFor();
  await page.getByRole("button", { name: "Errors" }).click();
  await page.getByRole("list", { name: "Errors" }).getByText("ValueError: cutoff 18.0").click();
  await page.waitForURL(/errorPlace=.*extensions.py/);
  await row.getByText("gpu-box").waitFor();
  await page.goBack();
  await page.waitForURL((address) => !address.searchParams.has("errorPlace"));
  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("table", { name: "Ended jobs by extension" }).getByText("PairHistogram").waitFor();
  await page.getByRole("img", { name: "Finished and failed jobs per hour" }).locator("canvas").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Submitted" }).click();
  await page.waitForURL((address) => !address.searchParams.has("text") && !address.searchParams.has("sort"));
  await row.waitFor();
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
  // The page of a job has its timeline to scale, and the graph of what depends on it.
  const { jobId: behind } = await server.call(
    "POST",
    `/api/rooms/${room}/extensions/analysis/PairHistogram/submit`,
    { token: user.token, body: { data: {}, dependsOn: [jobId] } },
  );
  await server.job(user, behind, "failed");
  await page.goto(`/jobs/${jobId}`);
  await page.getByText("ValueError: cutoff 18.0 Å is larger").first().waitFor();
  await page.getByRole("img", { name: /Timeline: .*running/ }).waitFor();
  const graph = page.getByRole("region", { name: "Graph of dependencies" });
  await graph
    .getByRole("link", { name: /PairHistogram/ })
    .nth(1)
    .click();
  await page.waitForURL(`**/jobs/${behind}`);
  await page.goBack();
  // The log is searched, filtered by level and downloaded as a whole.
  const log = page.getByRole("log", { name: "Output of the job" });
  await log.getByText("50 bins up to 18.0 Å").waitFor();
  await page.getByRole("textbox", { name: "Search the log" }).fill("BINS up");
  await page.getByText("1 of 2 lines").waitFor();
  await page.getByRole("textbox", { name: "Search the log" }).fill("");
  await page.getByRole("combobox", { name: "Level" }).click();
  await page.getByRole("option", { name: "WARNING and above" }).click();
  await page.getByText("1 of 2 lines").waitFor();
  await log.getByText("the cell is too small").waitFor();
  assert.equal(await log.getByText("bins up to").count(), 0);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), `job-${jobId}.log`);
  assert.match(
    await readFile(await file.path(), "utf8"),
    /50 bins up to 18.0 Å\n.* \[1\] WARNING .*the cell is too small\n$/,
  );
  // The form opens with the input of the job.
  await page.getByRole("button", { name: "Edit and run" }).click();
  await page.waitForURL(/ext=analysis/);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("input")].some((input) => input.value === "18"),
  );
  await page.goBack();
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

test("workers show their throughput, and admins adjust their queues", async ({ server, openPage }) => {
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
  // Five inputs in a row that fail open the breaker. An admin closes it, and changes how many jobs run at once.
  for (const cutoff of [16, 17, 19, 20]) {
    const { jobId } = await server.submit(user, room, "analysis/PairHistogram", { cutoff });
    await server.job(user, jobId, "failed");
  }
  const { jobId: waiting, waitingFor } = await server.submit(user, room, "analysis/PairHistogram");
  assert.equal(waitingFor, "breaker_open");
  const queues = await openPage({ session: await server.admin() });
  await queues.goto("/admin/queues");
  const row = queues.getByRole("row").filter({ hasText: room }).filter({ hasText: "PairHistogram" });
  const adjust = row.getByRole("button", { name: "Adjust analysis/PairHistogram" });
  await adjust.click();
  await queues.getByRole("button", { name: "Close breakers" }).click();
  await queues.getByText("The failures of 1 worker are forgotten.").waitFor();
  await server.job(user, waiting, "completed");
  await adjust.click();
  await queues.getByLabel("Jobs at once for each worker").fill("3");
  await queues.getByLabel("Priority of new jobs").fill("8");
  await queues.getByRole("button", { name: "Save" }).click();
  await queues.getByRole("button", { name: "Save" }).waitFor({ state: "hidden" });
  const { jobId: urgent } = await server.submit(user, room, "analysis/PairHistogram");
  assert.equal((await server.job(user, urgent, "completed")).priority, 8);
  await adjust.click();
  await queues.getByText("Workers that register do not change these values.").waitFor();
  await queues.getByRole("button", { name: "As registered" }).click();
  await queues.getByRole("button", { name: "Save" }).waitFor({ state: "hidden" });
  expectClean(queues, server);
  expectClean(page, server);
});
