// Jobs and workers, as their pages show them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { note, test, unique, until } from "../support/fixtures";

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
});

test("a failed job shows its traceback and is retried", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const room = unique("failures");
  await server.makeRoom(user, room);
  await server.worker(room);
  const { jobId } = await server.submit(user, room, "analysis/PairHistogram", { cutoff: 18 });
  await server.job(user, jobId, "failed");
  // Another one, which the filters below leave out.
  const missed = await server.submit(user, room, "analysis/Misses");
  await server.job(user, missed.jobId, "failed");
  const page = await openPage({ session: user });
  // The card says why it failed, and the notice in the chat leads to the job.
  await page.goto(`/rooms/${room}`);
  await page.locator("[data-testid=job]").getByText("ValueError: cutoff 18.0 Å is larger").waitFor();
  await page.getByText("Chat", { exact: true }).first().click();
  await page.getByRole("link", { name: "Open the job" }).first().click();
  await page.waitForURL(`**/jobs/${jobId}`);
  // The table has arguments, outcomes and filters, which Back undoes.
  await page.goto(`/rooms/${room}/jobs?status=failed`);
  const failed = page.locator("[role=row][data-status=failed]");
  const row = failed.filter({ hasText: "PairHistogram" });
  const others = failed.filter({ hasText: "Misses" });
  await others.waitFor();
  await row.getByText("ValueError: cutoff 18.0 Å is larger").waitFor();
  await row.getByText("cutoff 18").first().waitFor();
  await page.getByRole("textbox", { name: "Extension" }).fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByText("No job matches these filters.").waitFor();
  await page.goBack();
  await others.waitFor();
  await page.getByRole("textbox", { name: "Extension" }).fill("pairhist");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=pairhist/);
  await others.waitFor({ state: "detached" });
  await page.goBack();
  await others.waitFor();
  // Words of the arguments, the order and the errors filter the list, too; all of it is in the address.
  await page.getByRole("textbox", { name: "Search" }).fill("CUTOFF 18");
  await page.keyboard.press("Enter");
  await page.waitForURL(/text=CUTOFF/);
  await others.waitFor({ state: "detached" });
  await row.waitFor();
  await page.goBack();
  await others.waitFor();
  // The job that was submitted last is first; the other took longer.
  const names = async () =>
    (await failed.allInnerTexts()).map((text) => text.match(/PairHistogram|Misses/)?.[0]);
  assert.deepEqual(await names(), ["Misses", "PairHistogram"]);
  await page.getByRole("button", { name: "Ran", exact: true }).click();
  await page.waitForURL(/sort=duration/);
  await page.locator('[role=columnheader][aria-sort="descending"]').getByText("Ran").waitFor();
  await page.getByRole("button", { name: "Ran", exact: true }).click();
  await page.locator('[role=columnheader][aria-sort="ascending"]').getByText("Ran").waitFor();
  await until(names, ([first]) => first === "PairHistogram");
  await page.getByRole("button", { name: "Errors" }).click();
  await page.getByRole("list", { name: "Errors" }).getByText("ValueError: cutoff 18.0").click();
  await page.waitForURL(/errorPlace=.*extensions.py/);
  await others.waitFor({ state: "detached" });
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
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await page.waitForURL(
    (address) => !address.pathname.endsWith(jobId) && address.pathname.startsWith("/jobs/"),
  );
  await page.getByRole("link", { name: "the job before" }).waitFor();
  await page.getByRole("region", { name: "Traceback" }).waitFor();
});

test("a long queue shows its head and one's own job, and every waiting job says why", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const grete = await server.signIn("grete");
  const room = unique("queue");
  await server.makeRoom(user, room);
  // It offers an extension, but never connects: after a while it counts as gone.
  const why = /No worker offers Later|Later is offline/;
  const schema = { type: "object", properties: { n: { type: "integer" } } };
  await server.call("POST", "/api/workers/register", {
    token: user.token,
    body: { room, extensions: [{ name: "Later", category: "analysis", schema }] },
  });
  const many = await server.call("POST", `/api/rooms/${room}/extensions/analysis/Later/submit-many`, {
    token: grete.token,
    body: { data: Array.from({ length: 80 }, (_, n) => ({ n })) },
  });
  const { jobId: own } = await server.submit(user, room, "analysis/Later", { n: 80 });
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}`);
  const cards = page.locator("[data-testid=job][data-status=pending]");
  const told: { items: { jobId: string }[] } = await server.call("GET", `/api/rooms/${room}/queue`, {
    token: user.token,
  });
  const shown = told.items.map((job) => job.jobId);
  assert.ok(shown.includes(own), "the user's own job is among the cards");
  assert.ok(shown.includes(many.jobIds[0]), "the head of the queue is among the cards");
  await page.getByText(`and ${81 - shown.length} more waiting`).waitFor();
  assert.equal(await cards.count(), shown.length);
  for (const text of [/^next in line/, /^1 job ahead/, /^2 jobs ahead/])
    await cards.getByText(text).waitFor();
  assert.equal(await cards.filter({ hasText: "astrid" }).count(), 1);
  await cards.getByText(why).first().waitFor();
  // The rows of the list say it, too, with the word of the filter.
  await page.goto(`/rooms/${room}/jobs`);
  const row = page.locator("[role=row][data-status=pending]");
  await row.getByText(why).first().waitFor();
  await row.getByText("waiting", { exact: true }).first().waitFor();
  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "waiting", exact: true }).waitFor();
});

test("a job that does not check for a cancel says that it may run on, and that it did", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const room = unique("deaf");
  await server.makeRoom(user, room);
  await server.worker(room);
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}`);
  await page.getByText("No jobs yet").waitFor();
  await server.submit(user, room, "analysis/Deaf", { seconds: 9 });
  await page.locator("[data-testid=job][data-status=running]").waitFor();
  await page.getByRole("button", { name: "Cancel Deaf" }).click();
  await page.getByText("Asked to stop; this extension does not check for it, so it may run on.").waitFor();
  await page.getByText("It was asked to stop, did not check for that, and ran to its end.").waitFor();
  // What completed runs again; what failed or was cancelled is retried.
  await page.getByRole("button", { name: "Run again Deaf" }).waitFor();
  // The bar is to scale: the job ran for longer than it waited.
  const bar = page.locator("[data-testid=job] [data-step]");
  const widths = await bar.evaluateAll((parts) =>
    parts.map((part) => [(part as HTMLElement).dataset.step, part.getBoundingClientRect().width]),
  );
  const width = (step: string) => Number(widths.find(([name]) => name === step)?.[1]);
  assert.ok(width("running") > width("pending"), JSON.stringify(widths));
});

test("all jobs that match are retried with one request, and filters of the list are in the address", async ({
  server,
  openPage,
}) => {
  const name = unique("retry-all");
  const user = await server.signIn(name);
  const room = unique("bulk");
  await server.makeRoom(user, room);
  await server.worker(room);
  const path = `/api/rooms/${room}/extensions/analysis/PairHistogram`;
  const { postingId } = await server.call("POST", `${path}/sweep`, {
    token: user.token,
    body: { over: { bins: [5, 6] }, label: "an older posting" },
  });
  await server.posting(user, postingId, "completed");
  const failing = Array.from({ length: 12 }, () => ({ cutoff: 18 }));
  const { jobIds } = await server.call("POST", `${path}/submit-many`, {
    token: user.token,
    body: { data: failing },
  });
  for (const id of jobIds) await server.job(user, id, "failed");
  const page = await openPage({ session: user });
  // A posting stands at its time: below the jobs that are newer.
  await page.goto(`/rooms/${room}`);
  await page.locator("[data-testid=job]").nth(11).waitFor();
  await page.getByText("an older posting").waitFor();
  const tops = async (what: string) =>
    Promise.all((await page.locator(what).all()).map(async (one) => (await one.boundingBox())?.y ?? 0));
  const [posting] = await tops("[data-testid=jobs] >> text=an older posting");
  assert.ok(posting! > Math.max(...(await tops("[data-testid=job]"))));
  // Filters by person, worker and time; Back undoes each.
  await page.goto(`/rooms/${room}/jobs?status=failed`);
  const rows = page.locator("[role=row][data-status=failed]");
  const none = page.getByText("No job matches these filters.");
  await rows.nth(11).waitFor();
  for (const [field, absent, present] of [
    ["User", "somebody", "RETRY-"],
    ["Worker", "no-such-box", "gpu"],
  ] as const) {
    await page.getByRole("textbox", { name: field }).fill(absent);
    await page.keyboard.press("Enter");
    await none.waitFor();
    await page.goBack();
    await rows.nth(11).waitFor();
    await page.getByRole("textbox", { name: field }).fill(present);
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.searchParams.get(field.toLowerCase()) === present);
    await rows.nth(11).waitFor();
  }
  await page.getByRole("combobox", { name: "Time" }).click();
  await page.getByRole("option", { name: "Last hour" }).click();
  await page.waitForURL(/since=1h/);
  await rows.nth(11).waitFor();
  await page.getByRole("combobox", { name: "Time" }).click();
  await page.getByRole("option", { name: "Between …" }).click();
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
  await page.getByLabel("To", { exact: true }).blur();
  await none.waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  // One request counts the failed jobs, one retries them; the list is not fetched for each of them.
  await page.goto(`/rooms/${room}/jobs?status=failed`);
  await rows.nth(11).waitFor();
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) requests.push(`${request.method()} ${pathname}`);
  });
  await page.getByRole("button", { name: "All that match" }).click();
  await page.getByRole("menuitem", { name: "Retry all that ended" }).click();
  await page.getByText("12 jobs will be submitted again").waitFor();
  await page.getByRole("button", { name: "Retry 12 jobs" }).click();
  await page.locator("[role=table][aria-rowcount='24']").waitFor();
  assert.deepEqual(
    requests.filter((one) => one.startsWith("POST")),
    ["POST /api/jobs/bulk", "POST /api/jobs/bulk"],
  );
  note(`${requests.length} requests while 12 jobs were retried`);
  assert.ok(requests.length < 30, requests.join("\n"));
  // The list of all rooms leaves calls of postings out, too, and its address says so.
  const all = await openPage({ session: await server.admin() });
  await all.goto(`/jobs?user=${name}&search=PairHistogram`);
  await all.locator("[role=table][aria-rowcount='26']").waitFor();
  const single = all.getByRole("switch", { name: "Without calls of postings" });
  await single.click({ force: true });
  await all.waitForURL(/single=true/);
  await all.locator("[role=table][aria-rowcount='24']").waitFor();
  await all.reload();
  await all.locator("[role=table][aria-rowcount='24']").waitFor();
  assert.ok(await single.isChecked());
  // Everybody has the errors and the history of their own jobs.
  await page.goto("/jobs?show=errors");
  await page.getByRole("heading", { name: "Your jobs" }).waitFor();
  await page.getByRole("list", { name: "Errors" }).getByText("ValueError: cutoff 18.0").waitFor();
  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("table", { name: "Ended jobs by extension" }).getByText("PairHistogram").waitFor();
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
  // Two workers of the same name are told apart by their ids; who owns none is told so.
  const workers = (await server.call("GET", `/api/rooms/${room}/workers`, { token: user.token })).items;
  const worker = workers.find((one: { info: { name?: string } }) => one.info.name === "gpu-box");
  await card.getByText(worker.id.slice(-6)).waitFor();
  const mine = await openPage({ session: await server.signIn("owns-no-worker") });
  await mine.goto("/workers");
  await mine.getByRole("heading", { name: "You have no worker online" }).waitFor();
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
  await queues.getByRole("button", { name: "Close breakers" }).waitFor();
  await queues.getByRole("tooltip").waitFor({ state: "detached" });
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
});

test("the page of one's own jobs is live, without those of others, and the end of a job is told there", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn(unique("owner"));
  const grete = await server.signIn("grete");
  const room = unique("mine");
  await server.makeRoom(user, room);
  await server.worker(room);
  const page = await openPage({ session: user });
  const rows = page.locator("[role=row][data-status]");
  const places = page.getByRole("navigation", { name: "Pages" });
  await page.goto("/jobs");
  await page.getByRole("heading", { name: "Your jobs" }).waitFor();
  await page.getByText("0; the rows are live.").waitFor();
  // No page of the room is open: the row appears, and its state follows.
  const { jobId } = await server.submit(user, room, "analysis/PairHistogram", { cutoff: 18 });
  await server.job(user, jobId, "failed");
  await page.locator("[role=row][data-status=failed]").getByText("PairHistogram").waitFor();
  await page.getByText("PairHistogram failed").first().waitFor({ state: "attached" });
  // In the room events about all its jobs arrive, and the list of the other page is kept meanwhile.
  await places.getByRole("link", { name: "Rooms" }).click();
  await page
    .getByRole("link", { name: new RegExp(room) })
    .first()
    .click();
  await page.getByTestId("job").first().waitFor();
  const other = await server.submit(grete, room, "analysis/PairHistogram");
  await server.job(grete, other.jobId, "completed");
  await page.locator("[data-testid=job][data-status=completed]").waitFor();
  await places.getByRole("link", { name: "Jobs" }).click();
  await page.locator("[role=row][data-status=failed]").waitFor();
  assert.equal(await rows.count(), 1);
  // Admins see the jobs of all rooms, which are fetched again.
  const admin = await openPage({ session: await server.admin() });
  await admin.goto("/jobs");
  await admin.getByRole("heading", { name: "Jobs of all rooms" }).waitFor();
  const later = await server.submit(grete, room, "analysis/PairHistogram", { cutoff: 18 });
  await admin.locator("[role=row]").filter({ hasText: room }).nth(2).waitFor();
  await server.job(grete, later.jobId, "failed");
  assert.equal(await admin.getByText("rows are live").count(), 0);
});

test("an edited job runs at the extension that it ran at, where two have the same name", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const room = unique("scopes");
  await server.makeRoom(user, room);
  // Both are offered, but never connect.
  const offer = (token: string, more: object, field: string) =>
    server.call("POST", "/api/workers/register", {
      token,
      body: {
        ...more,
        extensions: [
          {
            name: "Later",
            category: "modifiers",
            public: !("room" in more),
            schema: { type: "object", properties: { [field]: { type: "string" } } },
          },
        ],
      },
    });
  await offer(user.token, { room }, "own");
  const everywhere = await offer((await server.admin()).token, {}, "everyones");
  const { jobId } = await server.call("POST", `/api/rooms/${room}/extensions/modifiers/Later/submit`, {
    token: user.token,
    body: { data: { everyones: "a" }, scope: "global" },
  });
  const page = await openPage({ session: user });
  await page.goto(`/jobs/${jobId}`);
  await page.getByRole("button", { name: "Edit and run" }).click();
  await page.waitForURL(/ext=modifiers(\/|%2F)Later(@|%40)global/);
  const form = page.getByTestId("extensions");
  await form.getByText("global", { exact: true }).waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Everyones" }).inputValue(), "a");
  // The link to the form leads to the same one.
  await page.getByRole("button", { name: "More about Later" }).click();
  await page.getByRole("menuitem", { name: "Copy link to this form" }).click();
  const link = await until(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (text) => text.includes("/forms/modifiers/Later"),
  );
  await page.goto(link);
  await page.getByTestId("form-page").getByText("global", { exact: true }).waitFor();
  await page.getByRole("button", { name: "All extensions" }).click();
  await form.getByText("global", { exact: true }).waitFor();
  // Without a scope it is the one of the room.
  await page.goto(`/rooms/${room}/forms/modifiers/Later`);
  await page.getByTestId("form-page").getByRole("textbox", { name: "Own" }).waitFor();
  await server.call("DELETE", `/api/workers/${everywhere.workerId}`, {
    token: (await server.admin()).token,
  });
});
