// What chemists do with the atoms of a structure: select, hide, slice, repeat, label, list and measure them.
import assert from "node:assert/strict";
import { test, until } from "../support/fixtures";
import { smallFrame } from "../support/structures.mjs";
import { drawn, enter, redBalls, roomOf, STAGE, waterRoom } from "../support/viewer";

test("atoms are selected by a condition, along bonds and with a lasso", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 2, 300);
  const page = await enter(openPage, session, room, count);
  const status = page.locator(".wr-viewer-chip");
  await page.getByRole("button", { name: "Select and hide", exact: true }).click();
  const field = page.getByRole("combobox", { name: /^Selected now/ });
  await field.fill("el");
  await page.getByRole("option", { name: "element" }).click();
  await field.pressSequentially(' == "X');
  await page.getByText('A text has to end with "').waitFor();
  await field.fill('element == "O" and z > 5');
  await field.press("Enter");
  const oxygens = Number.parseInt(
    (await until(
      () => status.textContent(),
      (text) => /(\d+) selected/.test(text ?? ""),
    ))!.match(/(\d+) selected/)![1]!,
    10,
  );
  assert.ok(oxygens > 0 && oxygens < count / 3, `${oxygens} oxygens are above 5 Å`);
  await page.getByRole("button", { name: "Grow", exact: true }).click();
  await status.getByText(`${3 * oxygens} selected`).waitFor();
  // Of a whole molecule and the oxygen of the next the oxygen is left out: its hydrogens are not selected.
  await field.fill("index < 4");
  await field.press("Enter");
  await status.getByText("4 selected").waitFor();
  await page.getByRole("button", { name: "Shrink", exact: true }).click();
  await status.getByText("3 selected").waitFor();
  await field.fill('element == "O" and z > 5');
  await field.press("Enter");
  await status.getByText(new RegExp(`(^|\\D)${oxygens} selected`)).waitFor();
  await page.getByRole("button", { name: "Grow", exact: true }).click();
  await status.getByText(`${3 * oxygens} selected`).waitFor();
  await page.getByRole("button", { name: "Invert", exact: true }).click();
  await status.getByText(`${count - 3 * oxygens} selected`).waitFor();
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  await status.getByText(`${count - 3 * oxygens} hidden`).waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await status.getByText("hidden").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  // A lasso around the left half: a triangle that leaves the right edge out.
  await page.getByRole("button", { name: "Lasso (L)" }).click();
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  await page.mouse.move(x + 0.05 * width, y + 0.05 * height);
  await page.mouse.down();
  for (const [a, b] of [
    [0.5, 0.05],
    [0.5, 0.95],
    [0.05, 0.95],
  ] as const)
    await page.mouse.move(x + a * width, y + b * height, { steps: 4 });
  await page.mouse.up();
  const taken = await until(
    async () => Number.parseInt((await status.textContent())?.match(/([\d,]+) selected/)?.[1] ?? "0", 10),
    (atoms) => atoms > 0 && atoms !== count - 3 * oxygens,
  );
  assert.ok(taken > count * 0.15 && taken < count * 0.85, `${taken} of ${count} atoms are in the lasso`);
});

test("elements are hidden, and a slice, images and labels are drawn", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 1, 300);
  const page = await enter(openPage, session, room, count);
  const status = page.locator(".wr-viewer-chip");
  const whole = await drawn(page);
  assert.ok(whole.red > 200);
  await page.getByRole("button", { name: "What is shown", exact: true }).click();
  await page.getByRole("group", { name: "Elements" }).getByText("O", { exact: true }).click();
  await status.getByText(`${count / 3} hidden`).waitFor();
  await until(
    () => drawn(page),
    ({ red }) => red < whole.red / 10,
  );
  await page.getByRole("button", { name: "Show everything" }).click();
  await page.getByRole("radiogroup", { name: "Slice along" }).getByText("z", { exact: true }).click();
  const sliced = await until(
    async () => Number.parseInt((await status.textContent())?.match(/([\d,]+) hidden/)?.[1] ?? "0", 10),
    (hidden) => hidden > 0,
  );
  assert.ok(
    sliced > count * 0.3 && sliced < count * 0.7,
    `${sliced} of ${count} atoms are outside the slice`,
  );
  await page.getByRole("button", { name: "Show everything" }).click();
  await status.getByText("hidden").waitFor({ state: "detached" });
  // The texts of labels are those that are drawn.
  await page.evaluate(() => {
    const texts = new Set<string>();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
      texts.add(text);
      fillText.call(this, text, ...at);
    };
    Object.assign(window, { texts });
  });
  await page.getByRole("combobox", { name: "Labels" }).click();
  await page.getByRole("option", { name: "Element and index" }).click();
  await until(
    () => page.locator(".wr-viewer-labels").getAttribute("data-labels"),
    (labels) => Number(labels) > 20,
  );
  const texts = await page.evaluate(() => [...(window as unknown as { texts: Set<string> }).texts]);
  const wrong = texts.filter((text) => {
    const [, element, index] = text.match(/^(H|O)(\d+)$/) ?? [];
    return !element || Number(index) >= count || (Number(index) % 3 === 0) !== (element === "O");
  });
  assert.ok(texts.length > 20);
  assert.deepEqual(wrong, []);
});

test("images of a cell are drawn beside it, without new atoms", async ({ server, openPage }) => {
  const { session, room } = await roomOf(server, "images", [smallFrame([8], [3, 3, 3], { edge: 6 })]);
  const page = await enter(openPage, session, room, 1);
  const status = page.locator(".wr-viewer-chip");
  assert.equal(await redBalls(page), 1);
  await page.getByRole("button", { name: "What is shown", exact: true }).click();
  await page.getByRole("textbox", { name: "Images along a" }).fill("3");
  await page.getByRole("textbox", { name: "Images along b" }).fill("3");
  await page.keyboard.press("Escape");
  await until(
    () => redBalls(page),
    (balls) => balls === 9,
  );
  await status.getByText(/^1 atom(?!s)/).waitFor();
});

test("a table lists the atoms, and the frame's values are shown", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 3, 300);
  const page = await enter(openPage, session, room, count);
  await page.locator(".dv-tab", { hasText: "Atoms" }).click();
  const table = page.getByRole("grid", { name: "Atoms" });
  await table.getByRole("button", { name: /^Charges/ }).click();
  await table
    .getByRole("columnheader", { name: /^Charges/ })
    .and(page.locator("[aria-sort=ascending]"))
    .waitFor();
  const first = table.locator("[data-atom]").first();
  const charge = Number(await first.getByRole("gridcell").nth(5).textContent());
  assert.ok(charge < -0.8, `the most negative charge is first: ${charge}`);
  await first.click();
  await page.locator(".wr-viewer-chip").getByText("1 selected").waitFor();
  const chosen = await first.getAttribute("data-atom");
  assert.equal(Number(chosen) % 3, 0, "the most negative atom is an oxygen");
  const shared = () => server.call("GET", `/api/rooms/${room}/selections`, { token: session.token });
  await until(shared, ({ selections }) => selections.particles?.[0] === Number(chosen));
  // A selection made elsewhere is marked and scrolled to.
  await table.getByRole("button", { name: /^Index/ }).click();
  const choose = (indices: number[]) =>
    server.call("PUT", `/api/rooms/${room}/selections/particles`, {
      token: session.token,
      body: { indices },
    });
  await choose([count - 1]);
  await table.locator(`[data-atom="${count - 1}"][aria-selected=true]`).waitFor();
  await page.locator(".dv-tab", { hasText: "Frame" }).click();
  await page
    .getByRole("row", { name: /^Energy/ })
    .getByText(`${-count} eV`)
    .waitFor();
  await page.getByRole("button", { name: "Last frame (End)" }).click();
  await page
    .getByRole("row", { name: /^Energy/ })
    .getByText(`${2 - count} eV`)
    .waitFor();
  await page.getByRole("row", { name: /^Forces largest/ }).waitFor();

  // A measurement stays when the selection goes, and follows the frames.
  await choose([0, 1]);
  await page.getByRole("button", { name: "Keep this measurement (M)" }).click();
  await choose([]);
  const kept = page.getByRole("list", { name: "Measurements" }).getByText(/^0–1: [\d.]+ Å$/);
  const atTheEnd = await kept.textContent();
  await page.getByRole("button", { name: "First frame (Home)" }).click();
  await until(
    () => kept.textContent(),
    (text) => text !== atTheEnd,
  );
  await page.getByRole("button", { name: "Remove the measurement 0–1" }).click();
  await kept.waitFor({ state: "detached" });
});
