// The system's Chromium, or the one that WORKROOM_CHROMIUM names.
import { existsSync } from "node:fs";

const PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** @type {string[]} */
export const CHROMIUM_ARGUMENTS = [
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
];

export function findChromium() {
  const path = process.env.WORKROOM_CHROMIUM || PATHS.find((place) => existsSync(place));
  if (!path)
    throw new Error("Chromium is not installed. `scripts/programs.sh` installs it where that is possible.");
  return path;
}
