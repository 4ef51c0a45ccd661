// What every scenario gets: the server, and pages that are closed at its end. An unexpected failure of a page is one of the
// scenario: an error in the console, an uncaught one, a refused or failed request, a request to another host.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test as base } from "@playwright/test";
import { newPage, type Session, type WatchedPage } from "./pages.mjs";
import { Server } from "./server.mjs";

export type { Session, WatchedPage };
export type PageOptions = NonNullable<Parameters<typeof newPage>[2]> & {
  /** Of another server than the one under test. */
  url?: string;
};
export type OpenPage = (options?: PageOptions) => Promise<WatchedPage>;

export const test = base.extend<{ server: Server; openPage: OpenPage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  server: async ({}, use) => {
    const server = new Server({
      url: required("WORKROOM_URL"),
      adminPassword: required("WORKROOM_ADMIN_PASSWORD"),
      data: required("WORKROOM_DATA"),
      python: required("WORKROOM_PYTHON"),
      root: fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, ""),
    });
    await use(server);
    await server.stopAll();
  },
  openPage: async ({ browser, server }, use) => {
    const pages: WatchedPage[] = [];
    await use(async ({ url = server.url, ...options } = {}) => {
      const page = await newPage(browser, url, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
    count("pages", pages.length);
    count(
      "failures of pages that were expected",
      pages.reduce((sum, page) => sum + page.happened(), 0),
    );
    count(
      "failures of pages that were not expected",
      pages.reduce((sum, page) => sum + page.errors.length, 0),
    );
    for (const page of pages) {
      assert.deepEqual(page.errors, [], "failures of a page that the scenario did not expect");
      assert.deepEqual(page.missing(), [], "failures that the scenario expected, and that did not happen");
    }
  },
});

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

let number = 0;
/** A name that no earlier scenario has used. */
export const unique = (name: string) => `${name}-${++number}-${Date.now() % 100_000}`;

/** Wait until the page is shown, and nothing on it is still loading. */
export async function settled(page: WatchedPage): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("#page h1, .wr-dock .dv-tab, form") &&
      !document.querySelector(".mantine-Loader-root"),
  );
}

/** Repeat a read until its value is as expected. */
export async function until<T>(read: () => Promise<T>, expected: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await read();
    if (expected(value)) return value;
    if (Date.now() > end) throw new Error(`not as expected in time; the last was ${JSON.stringify(value)}`);
    await new Promise((next) => setTimeout(next, 60));
  }
}

/** Put a figure into the report of this scenario. */
export function note(text: string): void {
  base.info().annotations.push({ type: "measured", description: text });
}

/** Count something that the end of the whole run tells. */
export function count(what: string, number = 1): void {
  base.info().annotations.push({ type: "counted", description: JSON.stringify([what, number]) });
}
