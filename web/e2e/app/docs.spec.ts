// The documentation that the server serves, and the explorer of its REST interface. Started by tests/web/test_docs_site.py.
import { expect } from "@playwright/test";
import { test } from "../support/fixtures";

test("the documentation and the API explorer work in a browser, without other hosts", async ({
  server,
  openPage,
}) => {
  const admin = await server.admin();
  const page = await openPage({ session: admin });
  await page.goto("/docs");
  await expect(page).toHaveURL(/\/docs\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Documentation");
  await expect(page.getByRole("link", { name: "/api/docs" }).first()).toHaveAttribute("href", "../api/docs");
  await page.getByRole("textbox", { name: "Search" }).click();
  await page.keyboard.type("heartbeat");
  await expect(page.locator(".md-search-result__item").first()).toBeVisible();
  await page.locator(".md-search-result__item a").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  if (process.env.WORKROOM_PICTURES)
    await page.screenshot({ path: `${process.env.WORKROOM_PICTURES}/docs.png` });

  const explorer = await openPage({ session: admin });
  await explorer.goto("/api/docs");
  await explorer.locator(".opblock-tag", { hasText: "accounts" }).first().click();
  // The explorer puts invisible characters into paths, where lines may break.
  const operation = explorer.locator(".opblock-get", { hasText: /users\W+me/ }).first();
  await operation.locator(".opblock-summary-control").click();
  await explorer.getByRole("button", { name: "Try it out" }).click();
  await explorer.getByRole("button", { name: "Execute" }).click();
  await expect(explorer.locator(".live-responses-table .response-col_status").last()).toContainText("200");
  await expect(explorer.locator(".live-responses-table")).toContainText("admin");
  if (process.env.WORKROOM_PICTURES)
    await explorer.screenshot({ path: `${process.env.WORKROOM_PICTURES}/explorer.png` });
});
