// Browser scenarios: `pytest tests/web` runs them; `npx playwright test` in this folder runs them by hand.
import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium } from "./e2e/support/chromium.mjs";

export default defineConfig({
  testDir: "e2e",
  testIgnore: process.env.WORKROOM_RESULTS ? [] : ["**/mustfail.spec.ts"], // it fails by design
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: process.env.WORKROOM_FAILURES ?? "node_modules/.playwright",
  // One worker: the scenarios share one server and one machine, and some measure time.
  workers: 1,
  fullyParallel: false,
  timeout: 420_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    // Without screenshots at every step: drawing them with the processor doubles the time of the scenarios.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: true, sources: true },
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_ARGUMENTS },
  },
});
