// Walks through the app in a real browser, against a real server and real workers.
// Needs WORKROOM_URL, WORKROOM_ADMIN_PASSWORD, WORKROOM_DATA and WORKROOM_PYTHON; `pytest tests/web` sets them.
import { openBrowser } from "./browser.mjs";
import { pictures } from "./pictures.mjs";
import { scenarios } from "./scenarios.mjs";
import { viewerScenarios } from "./viewer.mjs";
import { World } from "./world.mjs";

const wanted = process.argv.slice(2);
const world = new World({
  url: process.env.WORKROOM_URL,
  data: process.env.WORKROOM_DATA,
  adminPassword: process.env.WORKROOM_ADMIN_PASSWORD,
  python: process.env.WORKROOM_PYTHON,
  root: new URL("../..", import.meta.url).pathname.replace(/\/$/, ""),
});
const browser = await openBrowser();
const context = { browser, world, pictures: process.env.WORKROOM_PICTURES };
let failed = 0;
const all = [
  ...scenarios,
  ...viewerScenarios,
  ...(context.pictures ? [["every page has its picture, light and dark", pictures]] : []),
];
for (const [name, act] of all) {
  if (wanted.length && !wanted.some((word) => name.includes(word))) continue;
  const started = Date.now();
  try {
    const told = await act(context);
    console.log(`ok   ${((Date.now() - started) / 1000).toFixed(1)} s  ${name}${told ? `: ${told}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${((Date.now() - started) / 1000).toFixed(1)} s  ${name}\n${error.stack}`);
    const pages = browser.contexts().flatMap((one) => one.pages());
    for (const [at, page] of pages.entries()) {
      const words = await page
        .locator("body")
        .ariaSnapshot({ timeout: 2_000 })
        .catch((reason) => String(reason));
      console.log(`--- ${page.url()} shows:\n${words.slice(0, 5_000)}`);
      for (const trouble of page.trouble ?? []) console.log(`--- ${trouble}`);
      if (process.env.WORKROOM_FAILURES)
        await page
          .screenshot({ path: `${process.env.WORKROOM_FAILURES}/failure-${failed}-${at}.png` })
          .catch(() => undefined);
    }
  } finally {
    for (const one of browser.contexts()) await one.close();
  }
}
await world.end();
await browser.close();
process.exit(failed ? 1 : 0);
