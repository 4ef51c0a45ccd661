// A real Chromium: the system's, or the one WORKROOM_CHROMIUM names.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

export async function openBrowser() {
  const executablePath = process.env.WORKROOM_CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (!executablePath)
    throw new Error("There is no Chromium. `make browser` installs it where that is possible.");
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
}

/** Somebody's browser: their own storage, signed in where a session is given. Whatever goes wrong in it is noted. */
export async function someone(
  browser,
  url,
  { session, scheme = "light", size = { width: 1280, height: 800 } } = {},
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    colorScheme: scheme,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (session) {
    const state = { state: { ...session, expiresAt: Date.now() + session.expiresIn * 1000 }, version: 0 };
    await context.addInitScript((kept) => {
      if (!localStorage.getItem("workroom.session")) localStorage.setItem("workroom.session", kept);
    }, JSON.stringify(state));
  }
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.WORKROOM_PATIENCE ?? 30) * 1000);
  page.trouble = [];
  page.hosts = new Set();
  page.on("pageerror", (error) => page.trouble.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text()))
      page.trouble.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    page.trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => page.hosts.add(new URL(request.url()).host));
  return page;
}
