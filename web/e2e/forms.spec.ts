// Forms of extensions: from the schema to a submitted job or a sweep.
import assert from "node:assert/strict";
import { expectClean, note, test, unique } from "./fixtures";

test("a form appears with its worker, runs through all states, and is disabled when the worker leaves", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const room = unique("forms");
  await server.makeRoom(user, room);
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}`);
  await page.getByTestId("extensions").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Settle/ }).count(), 0);
  const worker = await server.worker(room);
  // The form appears by itself when the worker registers.
  await page.getByRole("button", { name: /^Settle/ }).click();
  await page.waitForURL(/ext=modifiers/);
  // Fields stand in the order in which the class has them.
  await page.locator("[data-testid=extensions] form").getByText("Method").waitFor();
  const labels = await page
    .locator("[data-testid=extensions] form .mantine-InputWrapper-label")
    .allInnerTexts();
  assert.deepEqual(
    labels.map((text) => text.trim()).filter((text) => ["Method", "Fmax", "Steps", "Pace"].includes(text)),
    ["Method", "Fmax", "Steps", "Pace"],
  );
  // What does not fit is told at its field, before anything is queued.
  await page.getByRole("textbox", { name: "Fmax", exact: true }).fill("7");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("alert").getByText("must be at most 1").waitFor();
  // And what only the server finds is told there, too.
  await page.getByRole("textbox", { name: "Fmax", exact: true }).fill("0.001");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("alert").getByText("0.001 is not a multiple of 0.01").waitFor();
  await page.getByRole("textbox", { name: "Fmax", exact: true }).fill("0.01");
  await page.getByRole("textbox", { name: "Steps", exact: true }).fill("30");
  await page.getByRole("textbox", { name: "Pace", exact: true }).fill("0.05");
  const seen = page.evaluate(
    () =>
      new Promise<(string | undefined)[]>((done) => {
        const states = new Set<string | undefined>();
        const timer = setInterval(() => {
          const job = document.querySelector<HTMLElement>("[data-testid=jobs] [data-testid=job]");
          if (job) states.add(job.dataset.status);
          if (job && ["completed", "failed"].includes(job.dataset.status ?? "")) {
            clearInterval(timer);
            done([...states]);
          }
        }, 5);
      }),
  );
  seen.catch(() => undefined);
  await page.keyboard.press("Control+Enter");
  await page.locator("[data-testid=jobs] [data-step=running][data-current]").waitFor();
  await page
    .getByText(/step \d+: fmax/)
    .first()
    .waitFor();
  const states = await seen;
  assert.equal(states.at(-1), "completed");
  assert.ok(states.includes("running"), `saw ${states}`);
  await page.locator("[data-testid=jobs] [data-step=end][data-state=completed]").waitFor();
  await page.getByTestId("history").waitFor();
  // Values are remembered.
  await page.reload();
  assert.equal(await page.getByRole("textbox", { name: "Steps", exact: true }).inputValue(), "30");
  // The same as Python, which compiles.
  await page.getByRole("button", { name: "More about Settle" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  const code = await page.getByRole("region", { name: "Python" }).textContent();
  assert.match(code ?? "", /room\.run\("modifiers\/Settle", .*steps=30/s);
  await page.keyboard.press("Escape");
  // When the worker leaves, the form stays and says why it cannot be sent.
  await server.stop(worker);
  await page.getByTestId("reason").getByText("The last worker that offers Settle has left.").waitFor();
  assert.equal(
    await page.getByRole("button", { name: "Run", exact: true }).getAttribute("aria-disabled"),
    "true",
  );
  expectClean(page, server);
  note(states.join(" → "));
});

test("a form becomes a sweep with a live grid", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const room = unique("sweeps");
  await server.makeRoom(user, room);
  await server.worker(room);
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}?ext=analysis/PairHistogram`);
  await page.getByRole("button", { name: "More about PairHistogram" }).click();
  await page.getByRole("menuitem", { name: "Turn into a sweep" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Another field" }).click();
  const counts = dialog.getByRole("textbox", { name: "How many" });
  await counts.first().fill("3");
  await dialog.getByRole("button", { name: "Post 15 jobs" }).click();
  await page.waitForURL("**/postings/*");
  await page.getByRole("table", { name: "Sweep" }).waitFor();
  await page.locator("a[data-state=completed]").nth(5).waitFor();
  await page.locator("a[data-state=failed]").first().waitFor();
  await page.getByRole("button", { name: "Retry failed" }).waitFor();
  expectClean(page, server);
});
