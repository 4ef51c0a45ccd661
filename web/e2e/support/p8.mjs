// P8: how soon 100,000 atoms are shown, and the longest task while 1,000 atoms play; Chromium draws with the processor.
// Needs WORKROOM_URL and WORKROOM_ADMIN_PASSWORD; prints one line of JSON.
import { launchBrowser, newPage } from "./pages.mjs";
import { Server } from "./server.mjs";
import { addFrames, shaken, water } from "./structures.mjs";

const ROUNDS = Number(process.env.WORKROOM_P8_ROUNDS ?? 3);
const PLAY_MS = Number(process.env.WORKROOM_P8_PLAY_MS ?? 8_000);
const server = new Server({
  url: process.env.WORKROOM_URL,
  adminPassword: process.env.WORKROOM_ADMIN_PASSWORD,
});
const session = await server.admin();
const large = `p8-large-${Date.now()}`;
const small = `p8-small-${Date.now()}`;
await server.makeRoom(session, large);
await server.makeRoom(session, small);
const many = water(100_000);
await addFrames(server, session, large, shaken(many, 1));
const few = water(1_000);
await addFrames(server, session, small, shaken(few, 200));

const browser = await launchBrowser();
const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  const page = await newPage(browser, server.url, { session });
  // The app is loaded already, as for a user who goes from room to room.
  await page.goto(`/rooms/${small}`);
  await page.locator(`canvas[data-atoms="${few.numbers.length}"]`).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(1_500);
  const started = await page.evaluate((path) => {
    performance.clearMarks("workroom:shown");
    const link = document.createElement("a");
    link.href = path;
    const now = performance.now();
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    return now;
  }, `/rooms/${large}`);
  await page.locator(`canvas[data-atoms="${many.numbers.length}"]`).waitFor({ timeout: 120_000 });
  const shown = await page.evaluate(
    (count) =>
      performance.getEntriesByName("workroom:shown").find((mark) => mark.detail === count)?.startTime,
    many.numbers.length,
  );
  const cold = await newPage(browser, server.url, { session });
  await cold.goto(`/rooms/${large}`);
  await cold.locator(`canvas[data-atoms="${many.numbers.length}"]`).waitFor({ timeout: 120_000 });
  const loaded = await cold.evaluate(() => performance.getEntriesByName("workroom:shown")[0].startTime);
  rounds.push({ inApp: shown - started, fromLoad: loaded });
  await page.context().close();
  await cold.context().close();
}

const page = await newPage(browser, server.url, { session });
await page.goto(`/rooms/${small}`);
await page.locator(`canvas[data-atoms="${few.numbers.length}"]`).waitFor({ timeout: 120_000 });
await page.waitForTimeout(3_000);
await page.evaluate(() => {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration);
  }).observe({ type: "longtask" });
});
const frame = async () =>
  Number(await page.getByRole("slider", { name: "Frame" }).getAttribute("aria-valuenow"));
const before = await frame();
await page.getByRole("button", { name: "Play (Space)" }).click();
await page.waitForTimeout(PLAY_MS);
await page.getByRole("button", { name: "Pause (Space)" }).click();
const played = (((await frame()) - before + 200) % 200) / (PLAY_MS / 1000);
const tasks = await page.evaluate(() => window.tasks);
await browser.close();

const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];
console.log(
  JSON.stringify({
    atoms: many.numbers.length,
    shownMs: Math.round(middle(rounds.map(({ inApp }) => inApp))),
    shownFromLoadMs: Math.round(middle(rounds.map(({ fromLoad }) => fromLoad))),
    longestTaskMs: Math.round(Math.max(0, ...tasks)),
    tasksOver200Ms: tasks.filter((task) => task > 200).length,
    framesPerSecond: Math.round(played * 10) / 10,
  }),
);
