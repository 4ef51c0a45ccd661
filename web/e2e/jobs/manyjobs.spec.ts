// The jobs page of the room `many`, which has 100,000 jobs and a posting of a million calls beside them.
import { test, type WatchedPage } from "../support/fixtures";
import { atRest, pressEnter, timed } from "../support/timing";

/** Type into a filter, and measure from Enter until all rows fit, which before they do not. */
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
    () => {
      const rows = [...document.querySelectorAll("[role=row][data-status]")];
      return rows.length > 0 && rows.every((row) => /Relax|Probe|Bulk/.test(row.textContent!));
    },
  );
  // Of the jobs in turn every other one is grace's.
  await filtered(page, "User", "grace", () => {
    const rows = [...document.querySelectorAll("[role=row][data-status]")];
    return rows.length > 0 && rows.every((row) => /grace/.test(row.textContent!));
  });
  await filtered(page, "Search", "factor 4.", () => {
    const rows = [...document.querySelectorAll("[role=row][data-status]")];
    return rows.length > 0 && rows.every((row) => /factor 4\..*grace/.test(row.textContent!));
  });
  await clear();
  await filtered(page, "Extension", "elax", () => {
    const rows = [...document.querySelectorAll("[role=row][data-status]")];
    return rows.length > 0 && rows.every((row) => /Relax/.test(row.textContent!));
  });
  await atRest(page);
  await timed(
    page,
    "sort by duration",
    () => {
      document.body.dataset.firstRow = document.querySelector("[role=row][data-status]")!.textContent!;
      [...document.querySelectorAll<HTMLElement>("[role=columnheader] button")]
        .find((button) => button.textContent?.startsWith("Ran"))!
        .click();
    },
    () => {
      const head = document.querySelector("[role=columnheader][aria-sort=descending]");
      const first = document.querySelector("[role=row][data-status]")?.textContent;
      return (
        head?.textContent?.startsWith("Ran") === true &&
        first !== undefined &&
        first !== document.body.dataset.firstRow
      );
    },
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
    () => {
      const rows = [...document.querySelectorAll("[role=row][data-status]")];
      return rows.length > 0 && rows.every((row) => row.getAttribute("data-status") === "failed");
    },
  );
});
