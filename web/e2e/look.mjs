// For the eye: node web/e2e/look.mjs URL PATH FILE [dark] [width] [height]
import { openBrowser, someone } from "./browser.mjs";
import { World } from "./world.mjs";

const [url, path, file, scheme = "light", width = "1280", height = "800"] = process.argv.slice(2);
const world = new World({ url, adminPassword: process.env.WORKROOM_ADMIN_PASSWORD });
const browser = await openBrowser();
const session = path === "/login" ? undefined : await world.admin();
const page = await someone(browser, url, {
  session,
  scheme,
  size: { width: Number(width), height: Number(height) },
});
await page.goto(path);
await page.waitForTimeout(1500);
await page.screenshot({ path: file });
console.log(page.trouble.join("\n") || "no trouble");
await browser.close();
