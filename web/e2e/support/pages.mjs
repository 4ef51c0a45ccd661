// Pages of a browser, each in a context of its own: signed in where a session is given, with everything that goes wrong.
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium } from "./chromium.mjs";

/** A browser outside the test runner: for the benchmark and for single screenshots. */
export function launchBrowser() {
  return chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS });
}

/**
 * @typedef {import("@playwright/test").Page & Watch} WatchedPage
 * @typedef {{ user: string; token: string; expiresIn: number }} Session
 */

/** What goes wrong in a context: in all of its pages, also in those that a scenario or the app opens later. */
export class Watch {
  /** Failures that were not expected. @type {string[]} */
  errors = [];
  /** @type {Map<RegExp, boolean>} */
  #expected = new Map();

  /** Failures that belong to the scenario, declared before they happen: `/401 POST .*\/api\/login/`. @param {RegExp[]} patterns */
  expectFailures = (...patterns) => {
    for (const pattern of patterns) this.#expected.set(pattern, false);
  };

  /** How many declared failures happened, by pattern. */
  happened = () => [...this.#expected.values()].filter(Boolean).length;

  /** Declared failures that did not happen. */
  missing = () => [...this.#expected].filter(([, happened]) => !happened).map(([pattern]) => String(pattern));

  /** @param {string} failure */
  #record(failure) {
    const expected = [...this.#expected.keys()].find((pattern) => pattern.test(failure));
    if (expected) this.#expected.set(expected, true);
    else this.errors.push(failure);
  }

  /** @param {import("@playwright/test").BrowserContext} context @param {string} url the only host that its pages may ask */
  constructor(context, url) {
    const { host } = new URL(url);
    const path = (/** @type {string} */ address) => {
      const { pathname, search } = new URL(address);
      return pathname + search;
    };
    context.on("weberror", (failure) => this.#record(`error: ${failure.error().message}`));
    context.on("console", (message) => {
      // The browser's own line about a response, which is recorded below with its method.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        this.#record(`console: ${message.text()}`);
    });
    context.on("dialog", (dialog) => {
      this.#record(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("request", (request) => {
      const asked = new URL(request.url());
      if (asked.host && asked.host !== host) this.#record(`other host: ${request.url()}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 400)
        this.#record(`${response.status()} ${response.request().method()} ${path(response.url())}`);
    });
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText;
      // A page that is left, or a query that nothing shows any more, ends its requests.
      if (reason !== "net::ERR_ABORTED") this.#record(`${reason} ${request.method()} ${path(request.url())}`);
    });
  }
}

/**
 * A new page with storage of its own, and with everything that goes wrong in it.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} url
 * @param {{ session?: Session; scheme?: "light" | "dark"; size?: { width: number; height: number }; touch?: boolean }} [options]
 * @returns {Promise<WatchedPage>}
 */
export async function newPage(
  browser,
  url,
  { session, scheme = "light", size = { width: 1440, height: 900 }, touch = false } = {},
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    hasTouch: touch,
    colorScheme: scheme,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (session) {
    const state = { state: { ...session, expiresAt: Date.now() + session.expiresIn * 1000 }, version: 0 };
    await context.addInitScript((stored) => {
      if (location.protocol === "about:") return; // the empty page, which has no storage
      if (!localStorage.getItem("workroom.session")) localStorage.setItem("workroom.session", stored);
    }, JSON.stringify(state));
  }
  const watch = new Watch(context, url);
  const page = Object.assign(await context.newPage(), watch);
  page.setDefaultTimeout(Number(process.env.WORKROOM_PATIENCE ?? 30) * 1000);
  return page;
}
