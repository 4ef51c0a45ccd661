// Pages of a browser, each in a context of its own: signed in where a session is given, with everything that goes wrong.
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium } from "./chromium.mjs";

/** A browser outside the test runner: for the benchmark and for single screenshots. */
export function launchBrowser() {
  return chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS });
}

/**
 * @typedef {import("@playwright/test").Page & { errors: string[]; hosts: Set<string> }} WatchedPage
 * @typedef {{ user: string; token: string; expiresIn: number }} Session
 */

/**
 * A new page with storage of its own. `errors` collects its errors and dialogs, `hosts` every host it requests.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} url
 * @param {{ session?: Session; scheme?: "light" | "dark"; size?: { width: number; height: number }; touch?: boolean }} [options]
 * @returns {Promise<WatchedPage>}
 */
export async function newPage(
  browser,
  url,
  { session, scheme = "light", size = { width: 1280, height: 800 }, touch = false } = {},
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
      if (!localStorage.getItem("workroom.session")) localStorage.setItem("workroom.session", stored);
    }, JSON.stringify(state));
  }
  const page = Object.assign(await context.newPage(), {
    errors: /** @type {string[]} */ ([]),
    hosts: /** @type {Set<string>} */ (new Set()),
  });
  page.setDefaultTimeout(Number(process.env.WORKROOM_PATIENCE ?? 30) * 1000);
  page.on("pageerror", (error) => page.errors.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text()))
      page.errors.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    page.errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => page.hosts.add(new URL(request.url()).host));
  return page;
}
