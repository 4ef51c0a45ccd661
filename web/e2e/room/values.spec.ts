// Results that JSON cannot represent: numbers and arrays of NumPy, tuples.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "../support/fixtures";

test("numbers of NumPy, arrays and tuples are shown as numbers and lists", async ({ server, openPage }) => {
  const admin = await server.admin();
  const jobs = [0, 4].map((number) => ({ args: [number] }));
  const { postingId } = await server.call("POST", "/api/postings", {
    token: admin.token,
    body: { function: "average", label: "averages", jobs },
  });
  const pool = await server.pool("1.0");
  const page = await openPage({ session: admin });
  await page.goto(`/postings/${postingId}?part=results`);
  const row = page.getByRole("row").filter({ hasText: "0.1875" });
  await row.getByText("0, 0.375", { exact: true }).waitFor();
  await row.getByText("0, 0.125, 0.25, 0.375").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /CSV/ }).click();
  const table = readFileSync((await (await download).path())!, "utf8");
  assert.match(table, /0\.6875/);
  assert.ok(!table.includes("~"), table);
  await row.getByRole("link").first().click();
  await page.getByText("0, 0.125, 0.25, 0.375").waitFor();
  await server.stop(pool);
});
