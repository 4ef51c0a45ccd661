// How soon the jobs page shows what was asked for: from the change of the address to the drawn rows, in milliseconds.
// Needs WORKROOM_URL, WORKROOM_SESSION (the answer of POST /api/login) and WORKROOM_ROOM; WORKROOM_SEARCHES is a JSON object of
// lists of searches, each with the text that a row must have. Prints one line of JSON: the shortest time of each list.
import { launchBrowser, newPage } from "./pages.mjs";

const url = String(process.env.WORKROOM_URL);
const session = JSON.parse(String(process.env.WORKROOM_SESSION));
const path = `/rooms/${process.env.WORKROOM_ROOM}/jobs`;
/** @type {Record<string, { search: string; row: string }[]>} */
const searches = JSON.parse(String(process.env.WORKROOM_SEARCHES));

const browser = await launchBrowser();
const page = await newPage(browser, url, { session });
await page.goto(path);
await page.getByRole("row").nth(5).waitFor();
/** @type {Record<string, number>} */
const times = {};
for (const [name, some] of Object.entries(searches)) {
  times[name] = Number.POSITIVE_INFINITY;
  for (const { search, row } of some) {
    const took = await page.evaluate(
      ([address, wanted]) =>
        new Promise((resolve, reject) => {
          const started = performance.now();
          const late = setTimeout(() => reject(new Error(`${address}: no row has ${wanted}`)), 30_000);
          const look = () => {
            const rows = [...document.querySelectorAll("[role=rowgroup] [role=row]")];
            if (!rows.length || !rows.every((one) => one.textContent?.includes(wanted)))
              return requestAnimationFrame(look);
            clearTimeout(late);
            // The frame with the rows is drawn when the next one begins.
            requestAnimationFrame(() => resolve(performance.now() - started));
          };
          history.pushState(null, "", address);
          dispatchEvent(new PopStateEvent("popstate"));
          requestAnimationFrame(look);
        }),
      [`${path}?${search}`, row],
    );
    times[name] = Math.min(times[name], Number(took));
  }
}
console.log(JSON.stringify({ times, errors: page.errors }));
await browser.close();
