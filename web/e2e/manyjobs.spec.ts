// The jobs page of the room `many`, which has 100,000 jobs and a posting of a million calls beside them.
import { test, type WatchedPage } from "./fixtures";
import { atRest, pressEnter, timed } from "./timing";

/** Type into a filter, and measure from Enter until the first row fits. */
async function filtered(page: WatchedPage, label: string, text: string, shown: () => boolean) {
  await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  await atRest(page);
  await timed(page, `${label}: ${text}`, pressEnter, shown);
}

test("a million jobs are filtered, searched and sorted within 300 ms", async ({ server, openPage }) => {
  const page = await openPage({ session: await server.admin() });
  await page.goto("/rooms/many/jobs");
  await page.locator("[role=row][data-status]").first().waitFor();
  await atRest(page);
  const clear = async () => {
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.locator("[role=row][data-status]", { hasText: "square" }).first().waitFor();
  };
  await timed(
    page,
    "without calls of postings",
    () => document.querySelector<HTMLElement>("input[role=switch]")!.click(),
    () => /Relax|Probe|Bulk/.test(document.querySelector("[role=row][data-status]")?.textContent ?? ""),
  );
  await filtered(page, "Search", "factor 4.3", () =>
    /factor 4\.3/.test(document.querySelector("[role=row][data-status]")?.textContent ?? ""),
  );
  await filtered(page, "User", "grace", () =>
    /factor 4\.3.*grace/.test(document.querySelector("[role=row][data-status]")?.textContent ?? ""),
  );
  await clear();
  await filtered(page, "Extension", "elax", () =>
    /Relax/.test(document.querySelector("[role=row][data-status]")?.textContent ?? ""),
  );
  await atRest(page);
  await timed(
    page,
    "sort by duration",
    () =>
      [...document.querySelectorAll<HTMLElement>("[role=columnheader] button")]
        .find((button) => button.textContent?.startsWith("Ran"))!
        .click(),
    () =>
      document.querySelector("[role=columnheader][aria-sort=descending]")?.textContent?.startsWith("Ran") ??
      false,
  );
  await clear();
  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "failed", exact: true }).waitFor();
  await atRest(page);
  await timed(
    page,
    "state failed",
    () =>
      [...document.querySelectorAll<HTMLElement>("[role=option]")]
        .find((option) => option.textContent === "failed")!
        .click(),
    () => document.querySelector("[role=row][data-status]")?.getAttribute("data-status") === "failed",
  );
});
