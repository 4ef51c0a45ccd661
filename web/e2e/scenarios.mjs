// What people do with the app, as sentences.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { someone } from "./browser.mjs";

/** Nothing went wrong behind the scenes, and no other host was asked for anything. */
function isClean(page, world) {
  assert.deepEqual(page.trouble, []);
  assert.deepEqual(
    [...page.hosts].filter((host) => host && host !== new URL(world.url).host),
    [],
  );
}

async function seriousFaults(page) {
  // The canvas of the viewer and Plotly's own drawing are not text.
  const { violations } = await new AxeBuilder({ page })
    .exclude("canvas")
    .exclude(".js-plotly-plot")
    .analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 160))
          .join(" | ")}`,
    );
}

/** The page is there, and nothing on it is still being loaded. */
async function isThere(page) {
  await page.waitForFunction(
    () =>
      document.querySelector("#page h1, .wr-dock .dv-tab") && !document.querySelector(".mantine-Loader-root"),
  );
}

let number = 0;
const fresh = (name) => `${name}-${++number}-${Date.now() % 100_000}`;

async function signsInAndMakesARoom({ browser, world }) {
  const page = await someone(browser, world.url);
  await page.goto("/rooms/nowhere");
  await page.getByRole("textbox", { name: "Name" }).fill("astrid");
  await page.getByRole("button", { name: "Come in as astrid, a guest" }).click();
  await page.getByText("Nothing here").waitFor();
  await page.getByRole("link", { name: "All rooms", exact: true }).click();
  await page.getByRole("button", { name: "New room" }).click();
  const room = fresh("copper");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("public");
  await dialog.getByRole("button", { name: "Make the room" }).click();
  await dialog.getByText("reserved").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill(room);
  await dialog.getByRole("button", { name: "Make the room" }).click();
  await page.waitForURL(`**/rooms/${room}`);
  await page.getByText("No jobs yet").waitFor();
  isClean(page, world);
}

async function refusesAWrongPassword({ browser, world }) {
  const page = await someone(browser, world.url);
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Name" }).fill("admin");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("wrong").waitFor();
  isClean(page, world);
}

async function runsAModifier({ browser, world }) {
  const ada = await world.signIn("astrid");
  const room = fresh("forms");
  await world.makeRoom(ada, room);
  const page = await someone(browser, world.url, { session: ada });
  await page.goto(`/rooms/${room}`);
  await page.getByTestId("extensions").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Settle/ }).count(), 0);
  const worker = await world.worker(room);
  // The form appears by itself when the worker registers.
  await page.getByRole("button", { name: /^Settle/ }).click();
  await page.waitForURL(/ext=modifiers/);
  // Fields stand in the order in which the class has them.
  await page.locator("[data-testid=extensions] form").getByText("Method").waitFor();
  const labels = await page
    .locator("[data-testid=extensions] form .mantine-InputWrapper-label")
    .allInnerTexts();
  assert.deepEqual(
    labels.map((text) => text.trim()).filter((text) => ["Method", "Fmax", "Steps", "Pace"].includes(text)),
    ["Method", "Fmax", "Steps", "Pace"],
  );
  // What does not fit is told at its field, before anything is queued.
  await page.getByRole("textbox", { name: "Fmax", exact: true }).fill("7");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("alert").getByText("must be at most 1").waitFor();
  // And what only the server finds is told there, too.
  await page.getByRole("textbox", { name: "Fmax", exact: true }).fill("0.001");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("alert").getByText("0.001 is not a multiple of 0.01").waitFor();
  await page.getByRole("textbox", { name: "Fmax", exact: true }).fill("0.01");
  await page.getByRole("textbox", { name: "Steps", exact: true }).fill("30");
  await page.getByRole("textbox", { name: "Pace", exact: true }).fill("0.05");
  const seen = page.evaluate(
    () =>
      new Promise((done) => {
        const states = new Set();
        const timer = setInterval(() => {
          const job = document.querySelector("[data-testid=jobs] [data-testid=job]");
          if (job) states.add(job.dataset.status);
          if (job && ["completed", "failed"].includes(job.dataset.status)) {
            clearInterval(timer);
            done([...states]);
          }
        }, 5);
      }),
  );
  seen.catch(() => undefined);
  await page.keyboard.press("Control+Enter");
  await page.locator("[data-testid=jobs] [data-step=running][data-current]").waitFor();
  await page
    .getByText(/step \d+: fmax/)
    .first()
    .waitFor();
  const states = await seen;
  assert.equal(states.at(-1), "completed");
  assert.ok(states.includes("running"), `saw ${states}`);
  await page.locator("[data-testid=jobs] [data-step=end][data-state=completed]").waitFor();
  await page.getByTestId("history").waitFor();
  // Values are remembered.
  await page.reload();
  assert.equal(await page.getByRole("textbox", { name: "Steps", exact: true }).inputValue(), "30");
  // The same as Python, which compiles.
  await page.getByRole("button", { name: "More about Settle" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  const code = await page.getByRole("region", { name: "Python" }).textContent();
  assert.match(code, /room\.run\("modifiers\/Settle", .*steps=30/s);
  await page.keyboard.press("Escape");
  // When the worker leaves, the form stays and says why it cannot be sent.
  await world.stop(worker);
  await page.getByTestId("reason").getByText("The last worker that offers Settle has left.").waitFor();
  assert.equal(
    await page.getByRole("button", { name: "Run", exact: true }).getAttribute("aria-disabled"),
    "true",
  );
  isClean(page, world);
  return states.join(" → ");
}

async function cancelsARunningJob({ browser, world }) {
  const ada = await world.signIn("astrid");
  const room = fresh("cancel");
  await world.makeRoom(ada, room);
  await world.worker(room);
  const { jobId } = await world.submit(ada, room, "analysis/Endless");
  await world.job(ada, jobId, "running");
  for (let more = 0; more < 3; more += 1) await world.submit(ada, room, "analysis/PairHistogram");
  const page = await someone(browser, world.url, { session: ada });
  await page.goto(`/rooms/${room}`);
  const running = page.locator("[data-testid=job][data-status=running]");
  await page.locator("[data-testid=job][data-status=pending]").nth(2).waitFor();
  await page.getByText(/turn \d+/).waitFor();
  await page.getByText("2 jobs ahead").waitFor();
  await page.getByText("All workers are busy.").first().waitFor();
  await running.getByRole("button", { name: "Cancel Endless" }).click();
  await page.locator("[data-testid=job][data-status=cancelled]").waitFor();
  await page.locator("[data-testid=job][data-status=completed]").nth(2).waitFor();
  isClean(page, world);
}

async function showsATracebackAndRetries({ browser, world }) {
  const ada = await world.signIn("astrid");
  const room = fresh("failures");
  await world.makeRoom(ada, room);
  await world.worker(room);
  const { jobId } = await world.submit(ada, room, "analysis/PairHistogram", { cutoff: 18 });
  await world.job(ada, jobId, "failed");
  const page = await someone(browser, world.url, { session: ada });
  await page.goto(`/rooms/${room}/jobs?status=["failed"]`);
  await page.getByRole("link", { name: "PairHistogram" }).click();
  await page.getByText("ValueError: cutoff 18.0 Å is larger").first().waitFor();
  await page.getByRole("region", { name: "Traceback" }).getByText("raise ValueError").waitFor();
  await page.getByRole("button", { name: "Run once more" }).click();
  await page.waitForURL(
    (address) => !address.pathname.endsWith(jobId) && address.pathname.startsWith("/jobs/"),
  );
  await page.getByRole("link", { name: "the job before" }).waitFor();
  await page.getByRole("region", { name: "Traceback" }).waitFor();
  isClean(page, world);
}

async function twoBrowsersSeeTheSame({ browser, world }) {
  const ada = await world.signIn("astrid");
  const grace = await world.signIn("grete");
  const room = fresh("together");
  await world.makeRoom(ada, room);
  await world.worker(room);
  const hers = await someone(browser, world.url, { session: ada });
  const theirs = await someone(browser, world.url, { session: grace });
  await hers.goto(`/rooms/${room}?ext=analysis/PairHistogram`);
  await theirs.goto(`/rooms/${room}/jobs`);
  await theirs.getByText("No jobs here").waitFor();
  await hers.getByRole("button", { name: "Run", exact: true }).click();
  await theirs.locator("[role=row][data-status=completed]").waitFor();
  await theirs.getByText("astrid").waitFor();
  isClean(hers, world);
  isClean(theirs, world);
}

async function sweeps({ browser, world }) {
  const ada = await world.signIn("astrid");
  const room = fresh("sweeps");
  await world.makeRoom(ada, room);
  await world.worker(room);
  const page = await someone(browser, world.url, { session: ada });
  await page.goto(`/rooms/${room}?ext=analysis/PairHistogram`);
  await page.getByRole("button", { name: "More about PairHistogram" }).click();
  await page.getByRole("menuitem", { name: "Turn into a sweep" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Another field" }).click();
  const counts = dialog.getByRole("textbox", { name: "How many" });
  await counts.first().fill("3");
  await dialog.getByRole("button", { name: "Post 15 jobs" }).click();
  await page.waitForURL("**/postings/*");
  await page.getByRole("table", { name: "Sweep" }).waitFor();
  await page.locator("a[data-state=completed]").nth(5).waitFor();
  await page.locator("a[data-state=failed]").first().waitFor();
  await page.getByRole("button", { name: "Retry failed" }).waitFor();
  isClean(page, world);
}

async function seesHowMuchAWorkerDoes({ browser, world }) {
  const ada = await world.signIn("astrid");
  const room = fresh("busy");
  await world.makeRoom(ada, room);
  await world.worker(room);
  const page = await someone(browser, world.url, { session: ada });
  await page.goto(`/rooms/${room}/workers`);
  const card = page.getByTestId("worker").filter({ hasText: "gpu-box" });
  await card.getByText("None ended in the last").waitFor();
  for (const data of [{ cutoff: 6 }, { cutoff: 7 }, { cutoff: 18 }]) {
    const { jobId } = await world.submit(ada, room, "analysis/PairHistogram", data);
    await world.job(ada, jobId, "completed", "failed");
  }
  const figure = card.getByTestId("throughput");
  await figure.getByText("3 ended (1 failed) in the last").waitFor();
  assert.ok(Number.parseFloat(await figure.textContent()) > 0);
  isClean(page, world);
}

/** The page follows events: it shows every step, and asks for next to nothing. */
async function hearsHowAPostingDrains({ page, world, admin }) {
  const calls = Array.from({ length: 60 }, (_, at) => ({ args: [at] }));
  const { postingId } = await world.call("POST", "/api/postings", {
    token: admin.token,
    body: { function: "ponder", label: "sixty thoughts", jobs: calls },
  });
  await page.goto(`/postings/${postingId}`);
  const finished = page.getByTestId("figure-finished");
  await finished.getByText("0", { exact: true }).waitFor();
  await page.getByRole("row").nth(60).waitFor();
  const asked = [];
  const note = (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/postings")) asked.push(pathname.split("/").slice(3).join("/"));
  };
  page.on("request", note);
  const seen = new Set();
  const pool = await world.pool("1.0");
  await page.getByRole("img", { name: "Jobs a second" }).waitFor();
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    seen.add(await finished.textContent());
    if (await page.getByText("Took").isVisible()) break;
    await page.waitForTimeout(50);
  }
  await finished.getByText("60", { exact: true }).waitFor();
  await world.stop(pool);
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
  page.off("request", note);
  return `${asked.length} requests while 60 jobs ended`;
}

async function drainsAPostingAndComparesProfiles({ browser, world }) {
  const admin = await world.admin();
  const calls = (from) => Array.from({ length: 80 }, (_, at) => ({ args: [from + at] }));
  const page = await someone(browser, world.url, { session: admin });
  const post = () =>
    world.call("POST", "/api/postings", {
      token: admin.token,
      body: { function: "measure", label: "eighty samples", jobs: calls(0) },
    });
  const told = await hearsHowAPostingDrains({ page, world, admin });
  const first = await post();
  await page.goto(`/postings/${first.postingId}`);
  await page.getByText("executing").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  const old = await world.pool("1.0");
  await page.getByText("Took").waitFor();
  await page.getByRole("tab", { name: "Failures" }).click();
  await page.getByText("sample 13 is empty").first().waitFor();
  await world.stop(old);
  const second = await post();
  const now = await world.pool("2.0");
  await world.posting(admin, second.postingId, "completed", "failed");
  await world.stop(now);
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
  isClean(page, world);
  return told;
}

async function anAdminPromotesAUser({ browser, world }) {
  const admin = await world.admin();
  const name = fresh("linus");
  await world.call("POST", "/api/users", { token: admin.token, body: { name, password: "a long password" } });
  const page = await someone(browser, world.url, { session: admin });
  await page.goto("/admin");
  await page.getByRole("textbox", { name: "Search users" }).fill(name);
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: `What to do with ${name}` }).click();
  await page.getByRole("menuitem", { name: "Make an admin" }).click();
  await row.getByText("admin", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Audit" }).click();
  await page.getByText("account: promote").first().waitFor();
  for (const part of ["Rooms", "Queues", "Settings"]) await page.getByRole("tab", { name: part }).click();
  await page.getByText("lease_seconds").waitFor();
  isClean(page, world);
}

async function everythingByKeys({ browser, world }) {
  const ada = await world.signIn("astrid");
  const room = fresh("keys");
  await world.makeRoom(ada, room);
  const page = await someone(browser, world.url, { session: ada });
  await page.goto("/");
  await page.getByRole("heading", { name: "Rooms" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).fill(room);
  // The room stands in the list behind the palette too: what counts is that the palette has found it.
  await page.getByRole("dialog").getByText(room).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/rooms/${room}`);
  await page.getByText("No jobs yet").waitFor();
  await page.keyboard.press("j");
  await page.waitForURL(`**/rooms/${room}/jobs`);
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.waitForURL("**/workers");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("This sheet").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Dark colours" }).click();
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  isClean(page, world);
}

async function saysWhenTheServerIsOutOfReach({ browser, world }) {
  const ada = await world.signIn("astrid");
  const page = await someone(browser, world.url, { session: ada });
  let away = false;
  let cut = () => undefined;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (away) return void socket.close();
    const server = socket.connectToServer();
    cut = () => {
      away = true;
      void server.close();
      void socket.close();
    };
  });
  await page.goto("/");
  await page.getByRole("heading", { name: "Rooms" }).waitFor();
  await page.waitForFunction(() => document.documentElement.dataset.live === "live");
  cut();
  await page.getByRole("status").getByText("out of reach").waitFor();
  away = false;
  await page.getByText("out of reach").waitFor({ state: "detached" });
}

const HOSTILE = [
  "<img src=x onerror=\"window.__ran='img'\">",
  "<script>window.__ran='script'</script>",
  "<svg onload=\"window.__ran='svg'\">",
  "javascript:window.__ran='link'",
  '"><iframe srcdoc="<script>parent.__ran=\'frame\'</script>">',
  "{{constructor.constructor('window.__ran=1')()}}",
  "[x](javascript:window.__ran='markdown')",
];

async function nothingHostileRuns({ browser, world }) {
  const admin = await world.admin();
  const room = fresh("hostile");
  const words = HOSTILE.join("\n");
  await world.makeRoom(admin, room, { description: words });
  const schema = {
    type: "object",
    title: HOSTILE[0],
    description: words,
    properties: {
      [HOSTILE[0]]: { type: "string", title: HOSTILE[1], description: HOSTILE[2], default: HOSTILE[3] },
      choice: { enum: HOSTILE, title: HOSTILE[4], default: HOSTILE[0], unit: HOSTILE[0] },
      colour: { type: "string", format: "color", default: "red;background:url(https://elsewhere.invalid/x)" },
    },
  };
  const welcome = await world.call("POST", "/api/workers/register", {
    token: admin.token,
    body: {
      room,
      extensions: [{ name: "Odd", category: "analysis", schema }],
      info: { name: HOSTILE[0], host: HOSTILE[1], python: HOSTILE[2] },
    },
  });
  const { jobId } = await world.submit(admin, room, "analysis/Odd", { choice: HOSTILE[0] });
  await world.call("POST", `/api/rooms/${room}/chat`, { token: admin.token, body: { text: words } });
  const page = await someone(browser, world.url, { session: admin });
  for (const address of [
    "/",
    `/rooms/${room}?ext=analysis/Odd`,
    `/rooms/${room}/jobs`,
    `/jobs/${jobId}`,
    "/workers",
    `/rooms/${room}/workers`,
    `/rooms/${room}/settings`,
    "/admin/audit",
  ]) {
    await page.goto(address);
    await isThere(page);
    assert.equal(await page.evaluate(() => window.__ran), undefined, address);
  }
  await page.goto(`/rooms/${room}?ext=analysis/Odd`);
  await page.getByRole("heading", { name: "Odd" }).waitFor();
  assert.equal(await page.locator("iframe, [onerror], [onload]").count(), 0);
  assert.equal(await page.evaluate(() => window.__ran), undefined);
  await world.call("DELETE", `/api/workers/${welcome.workerId}`, { token: admin.token });
  isClean(page, world);
}

async function aFullRoomStaysQuick({ browser, world }) {
  const admin = await world.admin();
  const room = fresh("full");
  await world.makeRoom(admin, room);
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 0, maximum: 10 } } };
  const extensions = Array.from({ length: 100 }, (_, at) => ({
    name: `Tool${at}`,
    category: ["modifiers", "analysis"][at % 2],
    schema,
  }));
  const welcome = await world.call("POST", "/api/workers/register", {
    token: admin.token,
    body: { room, extensions },
  });
  await world.call("POST", `/api/rooms/${room}/extensions/modifiers/Tool0/submit-many`, {
    token: admin.token,
    body: { data: Array.from({ length: 1000 }, (_, at) => ({ n: at % 10 })) },
  });
  // It never connects, but says that it lives.
  const alive = setInterval(
    () =>
      world
        .call("PUT", `/api/workers/${welcome.workerId}/heartbeat`, { token: welcome.workerToken })
        .catch(() => undefined),
    500,
  );
  const empty = fresh("empty");
  await world.makeRoom(admin, empty);
  const page = await someone(browser, world.url, { session: admin });
  const opened = async (address, awaited) => {
    const started = Date.now();
    await page.goto(address);
    await awaited();
    return Date.now() - started;
  };
  const search = () => page.getByRole("textbox", { name: "Search extensions" }).waitFor();
  await opened(`/rooms/${empty}`, search);
  const emptyMs = await opened(`/rooms/${empty}`, search);
  const roomMs = await opened(`/rooms/${room}`, async () => {
    await page.getByRole("button", { name: /^Tool99/ }).waitFor();
    await page.getByTestId("job").first().waitFor();
  });
  const jobsMs = await opened(`/rooms/${room}/jobs`, () => page.getByRole("row").nth(5).waitFor());
  assert.ok((await page.getByRole("row").count()) < 60, "rows are virtual");
  await page.locator("[role=rowgroup]").evaluate((body) => {
    body.scrollTop = body.scrollHeight;
  });
  await page.getByText("200 and more").waitFor();
  assert.ok(
    roomMs < 3 * emptyMs + 500 && jobsMs < 3 * emptyMs + 500,
    `empty ${emptyMs} ms, room ${roomMs} ms, jobs ${jobsMs} ms`,
  );
  clearInterval(alive);
  await world.call("DELETE", `/api/workers/${welcome.workerId}`, { token: admin.token });
  return `empty ${emptyMs} ms, full ${roomMs} ms, its jobs ${jobsMs} ms`;
}

const DARK = ["ext=", "/jobs/", "/workers", "/postings/", "/profiles/", "/admin/users"];

async function axeFindsNothingSerious({ browser, world }) {
  const admin = await world.admin();
  const room = fresh("axe");
  await world.makeRoom(admin, room, { description: "For everybody" });
  await world.worker(room);
  const { jobId } = await world.submit(admin, room, "analysis/PairHistogram", { cutoff: 18 });
  await world.job(admin, jobId, "failed");
  const { items } = await world.call("GET", "/api/postings?limit=1", { token: admin.token });
  const addresses = [
    "/",
    `/rooms/${room}?ext=modifiers/Anneal`,
    `/rooms/${room}/jobs`,
    `/rooms/${room}/workers`,
    `/rooms/${room}/settings`,
    "/jobs",
    `/jobs/${jobId}`,
    "/workers",
    "/postings",
    ...(items.length ? [`/postings/${items[0].postingId}`] : []),
    "/profiles",
    "/profiles/measure",
    "/account",
    "/admin/users",
    "/admin/rooms",
    "/admin/queues",
    "/admin/audit",
    "/admin/settings",
  ];
  const faults = {};
  for (const scheme of ["light", "dark"]) {
    const page = await someone(browser, world.url, { session: admin, scheme });
    // Parts look alike on all pages: in the dark a handful of them shows every colour.
    const some =
      scheme === "light" ? addresses : addresses.filter((one) => DARK.some((word) => one.includes(word)));
    for (const address of some) {
      await page.goto(address);
      await isThere(page);
      const found = await seriousFaults(page);
      if (found.length) faults[`${scheme} ${address}`] = found;
    }
    const stranger = await someone(browser, world.url, { scheme });
    await stranger.goto("/login");
    await stranger.getByRole("textbox", { name: "Name" }).waitFor();
    const found = await seriousFaults(stranger);
    if (found.length) faults[`${scheme} /login`] = found;
  }
  assert.deepEqual(faults, {});
  return `${addresses.length + 1} pages, light and dark`;
}

const WATER = Array.from({ length: 5 }, (_, step) =>
  [
    "3",
    `Lattice="8 0 0 0 8 0 0 0 8" Properties=species:S:1:pos:R:3 energy=${-14.2 - step * 0.1} pbc="T T T"`,
    `O 4.0 4.0 ${(4 + step * 0.1).toFixed(2)}`,
    `H 4.76 4.59 ${(4 + step * 0.1).toFixed(2)}`,
    `H 3.24 4.59 ${(4 + step * 0.1).toFixed(2)}`,
  ].join("\n"),
).join("\n");

async function opensAFileAndPlaysIt({ browser, world }) {
  const ada = await world.signIn("astrid");
  const page = await someone(browser, world.url, { session: ada });
  await page.goto("/");
  const name = fresh("water");
  await page.getByRole("heading", { name: "Rooms" }).waitFor();
  // Dropped on the page, as from the desktop.
  const files = await page.evaluateHandle(
    ([text, called]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], called));
      return data;
    },
    [WATER, `${name}.extxyz`],
  );
  await page.getByTestId("drop-files").dispatchEvent("drop", { dataTransfer: files });
  await page.waitForURL(`**/rooms/${name}`);
  await page.locator("[data-testid=job]").getByText("Open", { exact: true }).waitFor();
  await page.getByText("of 5").waitFor();
  await page.getByRole("button", { name: /play/i }).click();
  isClean(page, world);
}

export const scenarios = [
  ["somebody signs in as a guest and makes a room", signsInAndMakesARoom],
  ["a wrong password is refused", refusesAWrongPassword],
  [
    "a form appears with its worker, runs through all states, and is disabled when the worker leaves",
    runsAModifier,
  ],
  ["a running job is cancelled, and those behind it move up", cancelsARunningJob],
  ["a failed job shows its traceback and is retried", showsATracebackAndRetries],
  ["two browsers see the same", twoBrowsersSeeTheSame],
  ["a file dropped on the page becomes a room that plays", opensAFileAndPlaysIt],
  ["a form becomes a sweep with a live grid", sweeps],
  ["the workers page tells how much each worker does", seesHowMuchAWorkerDoes],
  ["a posting drains live, and two versions of its profile are compared", drainsAPostingAndComparesProfiles],
  ["an admin promotes a user", anAdminPromotesAUser],
  ["everything can be reached by keys", everythingByKeys],
  ["the page says when the server is out of reach", saysWhenTheServerIsOutOfReach],
  ["nothing hostile runs", nothingHostileRuns],
  ["a room with 1,000 jobs and 100 extensions stays quick", aFullRoomStaysQuick],
  ["axe finds nothing serious", axeFindsNothingSerious],
];
