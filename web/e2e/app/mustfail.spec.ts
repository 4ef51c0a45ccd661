// Scenarios that must fail, each because of its page alone. `pytest tests/web` expects that; other runs leave them out.
import { test, type WatchedPage } from "../support/fixtures";

const must = (title: string, act: (page: WatchedPage) => Promise<unknown>) =>
  test(title, async ({ openPage }) => {
    const page = await openPage();
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    await act(page);
  });

must("an error in the console", (page) => page.evaluate(() => console.error("it is wrong")));

must("an uncaught exception", async (page) => {
  const thrown = page.context().waitForEvent("weberror");
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error("it was thrown");
    });
  });
  await thrown;
});

must("an answer with the status 500", async (page) => {
  await page.route("**/api/rooms", (route) => route.fulfill({ status: 500, body: "{}" }));
  await page.evaluate(() => fetch("/api/rooms"));
});

must("a request to another host", async (page) => {
  await page.route("http://elsewhere.test/", (route) => route.fulfill({ body: "" }));
  await page.evaluate(() => fetch("http://elsewhere.test/").catch(() => undefined));
});

must("an expected failure that does not happen", async (page) => page.expectFailures(/401 POST/));
