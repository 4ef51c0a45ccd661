// A screenshot of one page: node web/e2e/support/screenshot.mjs URL PATH FILE [dark] [width] [height]
import { launchBrowser, newPage } from "./pages.mjs";
import { Server } from "./server.mjs";

const [url, path, file, scheme = "light", width = "1280", height = "800"] = process.argv.slice(2);
const server = new Server({ url, adminPassword: process.env.WORKROOM_ADMIN_PASSWORD });
const browser = await launchBrowser();
const session = path === "/login" ? undefined : await server.admin();
const page = await newPage(browser, url, {
  session,
  scheme,
  size: { width: Number(width), height: Number(height) },
});
await page.goto(path);
await page.waitForTimeout(1500);
await page.screenshot({ path: file });
console.log(page.errors.join("\n") || "no errors");
await browser.close();
