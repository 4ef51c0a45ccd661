// Forms of extensions: from the schema to a submitted job or a sweep.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { note, test, unique, until } from "../support/fixtures";
import { enter, waterRoom } from "../support/viewer";

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
  // Files are imported by dropping them: the list does not begin with a form for that.
  await page.getByRole("button", { name: /^Center/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Open/ }).count(), 0);
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
  // The shortcut has submitted one job, which is beside Run, and among the recent ones once the form is opened again.
  await page.getByTestId("submitted").getByText("finished").waitFor();
  assert.equal(await page.getByTestId("history").count(), 0);
  // Values are remembered.
  await page.reload();
  await page.getByTestId("history").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Steps", exact: true }).inputValue(), "30");
  // The same as Python, which compiles.
  await page.getByRole("button", { name: "More about Settle" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  const code = await page.getByRole("region", { name: "Python" }).textContent();
  assert.match(code ?? "", /room\.run\("modifiers\/Settle", .*steps=30/s);
  await page.keyboard.press("Escape");
  // When the worker leaves, the form says who offered it last, and what is submitted waits.
  await server.stop(worker);
  await page
    .getByTestId("reason")
    .getByText(/Offline: last offered by \S+, /)
    .waitFor();
  await page.getByRole("button", { name: "Queue", exact: true }).click();
  await page.locator("[data-testid=job][data-status=pending]").first().waitFor();
  await page.getByText("Settle is offline: last offered").first().waitFor();
  if (process.env.WORKROOM_PICTURES)
    await page.screenshot({ path: `${process.env.WORKROOM_PICTURES}/offline-form.png` });
  // Its owner removes it with what waits.
  await page.getByRole("button", { name: "Remove Settle" }).click();
  await page.getByText("1 waiting job will be cancelled.").waitFor();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByTestId("reason").getByText("Settle was removed.").waitFor();
  assert.equal(
    await page.getByRole("button", { name: "Run", exact: true }).getAttribute("aria-disabled"),
    "true",
  );
  note(states.join(" → "));
});

/** An extension with fields whose text, keys or secrets a form could lose. */
const probe = (fields: string) => `
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator
from workroom import Category, Extension

class Box(BaseModel):
    length: float = 4.0
    ends: int | None = 5

class Probe(Extension):
    """Tell what was **submitted**."""

    category = Category.ANALYSIS
    model_config = ConfigDict(json_schema_extra={
        "if": {"properties": {"method": {"const": "FIRE"}}},
        "then": {"properties": {"dt": {}}},
    })

    method: Literal["BFGS", "FIRE"] = "BFGS"
    dt: float = Field(0.1, le=1)
    cuts: list[float] = Field(default_factory=list)
${fields}
    atoms: list[int] = Field(default_factory=list, json_schema_extra={"format": "atom-selection"})
    weights: dict[str, int] = Field(default_factory=dict)
    flag: bool | None = Field(True, description="On, off or unset")
    limit: int | None = Field(None, ge=1, le=9)
    window: tuple[float, float] = (1.0, 2.0)
    exact: bool
    begins: datetime | None = None
    day: date | None = None
    box: Box | None = None
    code: str = Field("a1", pattern="^[a-z][0-9]$")
    anything: Any = Field(default_factory=dict)
    key: SecretStr = SecretStr("the worker's own")

    @field_validator("code")
    @classmethod
    def _known(cls, code):
        if code == "z9":
            raise ValueError("z9 is not in the catalogue")
        return code

    def run(self, vis, **kwargs):
        return {"key": self.key.get_secret_value(), "weights": self.weights, "atoms": self.atoms}
`;

test("a form submits what it shows, stores no secret, and keeps its values when the schema changes", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const room = unique("probe");
  await server.makeRoom(user, room);
  const file = join(mkdtempSync(join(tmpdir(), "probe-")), "probe.py");
  writeFileSync(file, probe("    factor: float = 1.1\n    steps: int = 5"));
  await server.worker(room, file, "wanda", "gpu-box", ["--reload"]);
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}?ext=analysis/Probe`);
  const form = page.getByTestId("extensions");
  const run = form.getByRole("button", { name: "Run", exact: true });
  const latest = async () => (await server.call("GET", `/api/rooms/${room}/jobs`, user)).items;

  // Text that is no value is an error at its field, and nothing is submitted.
  const atoms = form.getByRole("textbox", { name: "Atoms" });
  await atoms.fill("0-3, 7, x");
  await run.click();
  await form.getByText("These are not atom indices.").waitFor();
  await form.getByRole("textbox", { name: "Code" }).fill("x");
  await run.click();
  await form.getByText("must match the pattern ^[a-z][0-9]$").waitFor();
  await form.getByRole("textbox", { name: "Code" }).fill("b2");
  // What no other field can show is written as JSON: the text is code, its label is not.
  const anything = form.getByRole("textbox", { name: "Anything" });
  await anything.fill('{"kpts": [2, 2');
  await run.click();
  await form.getByText("This is not JSON.").waitFor();
  await anything.fill('{"kpts": [2, 2, 1]}');
  const font = (element: Locator) => element.evaluate((node) => getComputedStyle(node).fontFamily);
  assert.match(await font(anything), /monospace/);
  assert.doesNotMatch(await font(form.locator("label", { hasText: "Anything" })), /monospace/);
  await atoms.fill("0-3, 7");
  const day = form.getByLabel("Day");
  await day.focus();
  await page.keyboard.type("0302"); // a date without its year
  await run.click();
  await form.getByText("This is not a whole date.").waitFor();
  await day.fill("2026-03-02");
  const cuts = form.locator("#root_cuts");
  await cuts.pressSequentially("1.5,abc,");
  await run.click();
  await form.getByText("abc: not a number").waitFor();
  assert.equal((await latest()).length, 0);
  await cuts.press("Backspace");
  await form.getByText("abc: not a number").waitFor({ state: "detached" });
  // A field with a condition is shown, and submitted, only while that holds. Run stays within the panel.
  assert.equal(await form.getByRole("textbox", { name: "Dt" }).count(), 0);
  await form.getByText("FIRE", { exact: true }).click();
  assert.equal(await form.getByRole("textbox", { name: "Dt" }).inputValue(), "0.1");
  await form.getByRole("textbox", { name: "Dt" }).fill("0.5");
  await form.getByText("BFGS", { exact: true }).click();
  await form.getByRole("textbox", { name: "Dt" }).waitFor({ state: "detached" });
  const [panel, button] = [(await form.boundingBox())!, (await run.boundingBox())!];
  assert.ok(button.y >= panel.y && button.y + button.height <= panel.y + panel.height);

  // A slider without a value stands for none; two numbers are no coordinates; a switch that is off is false.
  const limit = form.getByRole("slider", { name: "Limit, slider" });
  assert.equal(await limit.getAttribute("aria-valuetext"), "none");
  await form.getByRole("textbox", { name: "Window 2" }).waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Window y" }).count(), 0);
  assert.equal(await form.getByRole("switch", { name: "Exact" }).isChecked(), false);

  // Mappings gain and lose keys; an optional value can be none.
  for (const [at, key] of ["Pt", "O", "H"].entries()) {
    await form.getByRole("button", { name: "Add a key" }).click();
    await form.getByRole("textbox", { name: "Key newKey" }).fill(key);
    await form.getByRole("textbox", { name: "Key newKey" }).press("Enter");
    await form.getByRole("textbox", { name: key, exact: true }).fill(String(at + 1));
  }
  await form.getByRole("button", { name: "Remove O" }).click();
  await form.getByRole("radio", { name: "none" }).locator("..").click();
  await form.getByRole("textbox", { name: "Steps" }).fill("8");
  await form.getByLabel("Begins").fill("2026-03-01T12:30:05");
  await form.getByRole("combobox", { name: "Box" }).click();
  await page.getByRole("option", { name: "Box" }).click();
  await form.getByRole("textbox", { name: "Length" }).fill("5.5");
  await form.getByRole("textbox", { name: "Ends" }).fill(""); // an optional value of a model can be none, too
  await run.click();
  const first = await server.job(
    user,
    (await until(latest, (jobs) => jobs.length === 1))[0].jobId,
    "completed",
  );
  assert.deepEqual(first.data, {
    method: "BFGS",
    cuts: [1.5],
    factor: 1.1,
    steps: 8,
    atoms: [0, 1, 2, 3, 7],
    weights: { Pt: 1, H: 3 },
    flag: null,
    window: [1, 2],
    exact: false,
    begins: first.data.begins,
    day: "2026-03-02",
    box: { length: 5.5, ends: null },
    code: "b2",
    anything: { kpts: [2, 2, 1] },
  });
  assert.equal(new Date(first.data.begins).getTime(), new Date("2026-03-01T12:30:05").getTime());
  assert.equal(first.result.key, "the worker's own");

  // A secret is sent, but not stored and not shown.
  await form.getByLabel("Key", { exact: true }).fill("s3cret");
  // The schema changes while the form is open: typed values stay, a field that has gone is forgotten.
  writeFileSync(file, probe("    factor: float = 1.2\n    turns: int = 3"));
  await form.getByRole("textbox", { name: "Turns" }).waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Factor" }).inputValue(), "1.2");
  assert.equal(await atoms.inputValue(), "0-3, 7");
  assert.equal(await form.getByLabel("Key", { exact: true }).inputValue(), "s3cret");
  await run.click();
  const second = await server.job(
    user,
    (await until(latest, (jobs) => jobs.length === 2))[0].jobId,
    "completed",
  );
  assert.equal(second.result.key, "s3cret");
  assert.equal((await latest())[0].dataText, "…");
  assert.deepEqual(second.data.weights, { Pt: 1, H: 3 });
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.ok(stored.includes("b2") && !stored.includes("s3cret"), stored);
  await page.getByRole("button", { name: "More about Probe" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  const code = await page.getByRole("region", { name: "Python" }).textContent();
  assert.ok(!code?.includes("s3cret"), code ?? "");
  await page.keyboard.press("Escape");

  // What a validator of the class refuses is shown at its field.
  const codeField = form.getByRole("textbox", { name: "Code" });
  await codeField.fill("z9");
  await run.click();
  await form.getByRole("alert").getByText("z9 is not in the catalogue").waitFor();
  await codeField.fill("b2");
  await form.getByText("z9 is not in the catalogue").waitFor({ state: "detached" });

  // Values remembered for a field that has gone do not keep the form from running.
  await page.evaluate((room) => {
    const [key] = Object.keys(localStorage).filter((one) => one.startsWith(`workroom.values.${room}/`));
    localStorage.setItem(key!, JSON.stringify({ gone: 1, turns: 9, factor: "x" }));
  }, room);
  await page.reload();
  assert.equal(await form.getByRole("textbox", { name: "Turns" }).inputValue(), "9");
  await run.click();
  await until(latest, (jobs) => jobs.length === 4);
  // A fault that no field shows stands above Run.
  await page.route("**/submit", (route) =>
    route.fulfill({
      status: 422,
      contentType: "application/problem+json",
      body: JSON.stringify({ errors: [{ path: "data.gone", message: "is not a field" }] }),
    }),
  );
  page.expectFailures(/^422 POST .*\/Probe\/submit$/);
  await run.click();
  const fault = form.getByRole("alert").getByText("gone: is not a field");
  await fault.waitFor();
  const runButton = await run.elementHandle();
  assert.ok(
    await fault.evaluate(
      (text, below) => Boolean(text.compareDocumentPosition(below!) & Node.DOCUMENT_POSITION_FOLLOWING),
      runButton,
    ),
  );
  // The values belong to this room alone.
  const other = unique("probe");
  await server.makeRoom(user, other);
  await server.worker(other, file, "wanda", "gpu-box");
  await page.goto(`/rooms/${other}?ext=analysis/Probe`);
  assert.equal(await form.getByRole("textbox", { name: "Turns" }).inputValue(), "3");
});

test("a form waits while another person holds the lock, and offers the names of the frame's values", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 2, 30);
  await server.worker(room);
  const page = await enter(openPage, session, room, count);
  await page.getByRole("button", { name: /^Settle/ }).click();
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.waitFor();
  assert.equal(await run.getAttribute("aria-disabled"), "false");
  const wim = await server.signIn("wim");
  const lock = `/api/rooms/${room}/locks/trajectory`;
  const { token } = await server.call("POST", `${lock}/acquire`, {
    token: wim.token,
    body: { message: "aligning the cell", ttlSeconds: 120 },
  });
  const reason = page.getByTestId("reason");
  await reason.getByText("wim holds the lock on the trajectory: aligning the cell.").waitFor();
  assert.equal(await run.getAttribute("aria-disabled"), "true");
  await page.getByRole("button", { name: "More about Settle" }).click();
  await page.getByRole("menuitem", { name: "Run nevertheless" }).waitFor();
  await page.keyboard.press("Escape");
  await server.call("POST", `${lock}/release`, { token: wim.token, body: { token } });
  await reason.waitFor({ state: "detached" });
  assert.equal(await run.getAttribute("aria-disabled"), "false");
  // Names of values: those of the frame, and those that are computed.
  await page.getByRole("button", { name: "All extensions" }).click();
  await page.getByRole("button", { name: /^Properties2D/ }).click();
  await page
    .getByRole("combobox", { name: "X", exact: true })
    .or(page.getByRole("textbox", { name: "X", exact: true }))
    .click();
  for (const name of [/^positions/, /^temperature.*computed/])
    await page.getByRole("option", { name }).first().waitFor();
  await page.keyboard.press("Escape");
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
  await page.getByText(/^finished, \d+ of 15 failed$/).waitFor();
  // The colours of the cells are those of a number of the results, with a legend.
  const cell = page.getByRole("link", { name: /^Job 0: finished/ });
  const colour = () => cell.evaluate((element) => getComputedStyle(element).backgroundImage);
  const byState = await colour();
  await page.getByRole("combobox", { name: "Colour" }).click();
  await page.getByRole("option", { name: "by bins" }).click();
  await page.getByRole("img", { name: /^bins from \d+ to \d+$/ }).waitFor();
  await page.getByRole("link", { name: /^Job 0: finished.*: bins \d+$/ }).waitFor();
  assert.notEqual(await colour(), byState);
  assert.ok(
    (await page.locator("a[data-state=failed][data-plain]").count()) > 0,
    "a failed job has no value",
  );
  // The tab is in the address; the plot has one point for each finished job, and one line for each value of another parameter.
  await page.getByRole("tab", { name: "Plot" }).click();
  await page.waitForURL(/part=plot/);
  const plot = page.getByRole("group", { name: /^bins against/ });
  const completed = Number(await page.getByTestId("figure-finished").textContent());
  await until(
    () => plot.getByRole("link").count(),
    (number) => number === completed,
  );
  assert.ok((await plot.locator("polyline").count()) > 1);
  await page.getByRole("combobox", { name: "Result" }).click();
  await page.getByRole("option", { name: "peak" }).click();
  await page.getByRole("group", { name: /^peak against/ }).waitFor();
  await page.getByRole("tab", { name: "Results" }).click();
  await page.waitForURL(/part=results/);
  // The parameters that vary are columns, which sort the rows.
  const table = page.getByRole("table", { name: "Results" });
  await table.getByRole("row").nth(1).waitFor();
  const heads = await table.getByRole("columnheader").allInnerTexts();
  assert.deepEqual(heads.toSorted(), ["#", "State", "bins", "bins", "cutoff", "peak"]);
  const firstCells = () => table.locator("tbody tr td:nth-child(2)").allInnerTexts();
  const values = (await firstCells()).map(Number);
  assert.ok(new Set(values).size > 1);
  assert.notDeepEqual(
    values,
    values.toSorted((one, other) => other - one),
  );
  const head = table.getByRole("columnheader").nth(1).getByRole("button");
  await head.click();
  assert.deepEqual(
    (await firstCells()).map(Number),
    values.toSorted((one, other) => one - other),
  );
  await head.click();
  assert.deepEqual(
    (await firstCells()).map(Number),
    values.toSorted((one, other) => other - one),
  );
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const lines = readFileSync(await (await saved).path(), "utf8").split("\r\n");
  assert.equal(lines[0], "position,state,bins,cutoff,result.bins,peak,error");
  assert.equal(lines.length, 17);
  assert.equal(lines.filter((line) => line.includes(",completed,")).length, completed);
  await page.goBack();
  await page.getByRole("group", { name: /^\w+ against/ }).waitFor();
  await page.goBack();
  await page.getByRole("table", { name: "Sweep" }).waitFor();
});

test("a form of several steps takes a file, choices of a worker and presets, and is shared as a page", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("prepare-1");
  const room = unique("prepare");
  await server.makeRoom(user, room);
  await server.worker(room);
  const folder = mkdtempSync(join(tmpdir(), "workroom-files-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const page = await openPage({ session: user });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/rooms/${room}?ext=modifiers/Prepare`);
  const form = page.locator("[data-testid=extensions] form");
  // The docstring is markdown, and the first step is shown.
  await page.getByTestId("extensions").locator("strong", { hasText: "several steps" }).waitFor();
  await form.getByRole("textbox", { name: "Element" }).waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Label" }).isVisible(), false);
  // A worker answers the choices of a field, and again when another field changes.
  await form.getByRole("combobox", { name: "Site" }).click();
  await page.getByRole("option", { name: "bridge of Cu" }).click();
  await form.getByRole("textbox", { name: "Element" }).fill("Pt");
  await form.getByText("Cu-bridge: not among the choices any more").waitFor();
  await form.getByRole("combobox", { name: "Site" }).click();
  await page.getByRole("option", { name: "top of Pt" }).click();
  // A file that the field does not accept is named; another one is uploaded.
  const chooser = form.locator("input[type=file]");
  await chooser.setInputFiles(write("a.txt", "x"));
  await form.getByText("choose a file whose name ends with .xyz or .mol").waitFor();
  await chooser.setInputFiles(write("large.xyz", "x".repeat(1_001)));
  await form.getByText("at most 1,000 bytes").waitFor();
  // The corrected file may have the same name: the browser tells of it only while the input is empty.
  assert.equal(await chooser.inputValue(), "");
  // What keeps the form from being submitted is told above Run, and shown, from any step.
  await form.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const refusal = page.getByTestId("extensions").getByRole("alert");
  await refusal.getByText("Molecule: choose another file, or remove this one.").waitFor();
  await form.getByText("at most 1,000 bytes").waitFor();
  await chooser.setInputFiles(write("water.xyz", "3 atoms"));
  await form.getByText("water.xyz (7 B)").waitFor();
  await refusal.waitFor({ state: "detached" });
  // A text that is no value leads to its step, as an error does.
  await form.getByRole("button", { name: "Next" }).click();
  await form.getByRole("textbox", { name: "Layers", exact: true }).fill("many");
  await form.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await refusal.getByText("Layers: correct what is typed there, or clear it.").waitFor();
  await form.getByText("This is not a number.").waitFor();
  await form.locator("input:focus").waitFor();
  await form.getByRole("textbox", { name: "Layers", exact: true }).fill("20");
  await form.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("alert").getByText("must be at most 9").waitFor();
  await form.getByRole("textbox", { name: "Layers", exact: true }).fill("5");
  // Presets: saved, replaced by an example, applied, and seen by another person.
  await page.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: "Save these values" }).click();
  await page.getByRole("textbox", { name: "Name of the preset" }).fill("thick");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("textbox", { name: "Name of the preset" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: "element Cu, layers 7" }).click();
  await form.getByRole("button", { name: "Next" }).click();
  const layers = form.getByRole("textbox", { name: "Layers", exact: true });
  await until(
    () => layers.inputValue(),
    (text) => text === "7",
  );
  await page.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: /thick/ }).click();
  await form.getByRole("button", { name: "Next" }).click();
  await until(
    () => layers.inputValue(),
    (text) => text === "5",
  );
  // The form as a page with these values; the result appears on it.
  await page.getByRole("button", { name: "More about Prepare" }).click();
  await page.getByRole("menuitem", { name: "Copy link to this form" }).click();
  const link = await until(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (text) => text.includes("/forms/modifiers/Prepare?"),
  );
  const other = await openPage({ session: await server.signIn("prepare-2") });
  await other.goto(`${link}&label=007&nothing=1`);
  await other
    .getByRole("alert")
    .getByText("The address has values that no field of Prepare takes: nothing")
    .waitFor();
  await other.getByText("water.xyz (7 B)").waitFor();
  await other.getByRole("button", { name: "Run", exact: true }).click();
  const result = other.getByTestId("form-result");
  for (const text of ["Pt-top", "3 atoms", "007"]) await result.getByText(text, { exact: true }).waitFor();
  await other.getByRole("button", { name: "Presets" }).click();
  await other.getByRole("menuitem", { name: /thick/ }).waitFor();
  assert.equal(await other.getByRole("button", { name: "Delete the preset thick" }).count(), 0);
  await other.keyboard.press("Escape");
  await page.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("button", { name: "Delete the preset thick" }).click();
  await page.getByRole("menuitem", { name: /thick/ }).waitFor({ state: "detached" });
});

test("the shortcut of Run submits once, however often it is pressed before the answer", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const room = unique("once");
  await server.makeRoom(user, room);
  const page = await openPage({ session: user });
  let requests = 0;
  await page.route("**/submit", async (route) => {
    requests += 1;
    await new Promise((next) => setTimeout(next, 700));
    await route.continue();
  });
  await page.goto(`/rooms/${room}?ext=modifiers/Center`);
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  for (let time = 0; time < 3; time += 1) await page.keyboard.press("Control+Enter");
  await page.getByTestId("submitted").waitFor();
  assert.equal(requests, 1);
  // Afterwards it submits again.
  await page.keyboard.press("Control+Enter");
  await until(
    async () => requests,
    (number) => number === 2,
  );
  // In a message of the chat the same keys send it, and submit nothing.
  await page.getByText("Chat", { exact: true }).first().click();
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("look at this");
  await message.press("Control+Enter");
  await page.getByRole("log").getByText("look at this").waitFor();
  // Nor do they submit anything behind a dialog.
  await page.getByRole("button", { name: "More about Center" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  await page.getByRole("region", { name: "Python" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Python" }).waitFor({ state: "detached" });
  assert.equal(requests, 2);
  // One's own job stays beside Run behind many newer ones.
  const own = await page.getByTestId("submitted").getByRole("link").getAttribute("href");
  const path = `/api/rooms/${room}/extensions/modifiers/Center/submit`;
  for (let time = 0; time < 25; time += 1)
    await server.call("POST", path, { token: user.token, body: { data: {}, scope: "builtin" } });
  await until(
    async () =>
      (await server.call("GET", `/api/rooms/${room}/jobs?status=pending&status=running`, user)).items,
    (jobs) => jobs.length === 0,
  );
  await page.getByTestId("history").getByRole("link").nth(5).waitFor();
  assert.equal(await page.getByTestId("submitted").getByRole("link").getAttribute("href"), own);
});

test("the range of a sweep begins and ends near the bounds of its field, whatever the present value is", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const room = unique("range");
  await server.makeRoom(user, room);
  await server.worker(room);
  const page = await openPage({ session: user });
  await page.goto(`/rooms/${room}?ext=analysis/Stretch`);
  await page.getByRole("button", { name: "More about Stretch" }).click();
  await page.getByRole("menuitem", { name: "Turn into a sweep" }).click();
  const dialog = page.getByRole("dialog");
  const bound = async (name: string) => Number(await dialog.getByRole("textbox", { name }).inputValue());
  await dialog.getByRole("textbox", { name: "How many" }).waitFor();
  const from = await bound("From");
  assert.ok(from > 0.1 && from < 0.12, `it begins at ${from}`);
  assert.equal(await bound("To"), 10);
  await dialog.getByRole("button", { name: "Post 5 jobs" }).click();
  await page.waitForURL("**/postings/*");
  await page
    .getByText(/^finished/)
    .first()
    .waitFor();
  await page.locator("a[data-state=completed]").nth(4).waitFor();
});
