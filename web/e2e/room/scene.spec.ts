// The scene: what is shown of a room, how atoms are marked and pictured, where the camera is, and keys on the whole page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test, until, type WatchedPage } from "../support/fixtures";
import { addFrames, smallFrame } from "../support/structures.mjs";
import { choose, enter, middleColumn, pixelsOf, roomOf, STAGE } from "../support/viewer";

const charges = (...values: number[]) => ({
  "calc.charges": ["<f8", [values.length], Float64Array.from(values)],
});
const status = (page: WatchedPage) => page.locator(".wr-viewer-chip");
const middleOf = async (page: WatchedPage) => {
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  return { x: x + width / 2, y: y + height / 2, width, height };
};

test("colours stay in their room and under the selection, and pictures leave its rings out", async ({
  server,
  openPage,
}) => {
  const row = [-5, 0, 0, 0, 0, 0, 5, 0, 0];
  const { session, room } = await roomOf(server, "row", [
    smallFrame([8, 8, 8], row, charges(-0.8, 0.3, 0.4)),
  ]);
  const { room: other } = await roomOf(server, "other", [smallFrame([8, 8, 8], row, charges(1, 2, 3))]);
  const page = await enter(openPage, session, room, 3);
  await page.getByRole("button", { name: "Colours", exact: true }).click();
  await page.getByRole("combobox", { name: "Colour by" }).click();
  await page.getByRole("option", { name: "Charges" }).click();
  await page.keyboard.press("Escape");
  // Values of both signs have a diverging map, as far below zero as above it.
  const legend = page.getByRole("figure", { name: "Colours by Charges" });
  await legend.locator(".ticks span").first().waitFor();
  const ticks = (await legend.locator(".ticks span").allTextContents()).map((text) =>
    Number(text.replace("−", "-")),
  );
  assert.equal(Math.min(...ticks) + Math.max(...ticks), 0);
  assert.ok(ticks.includes(0), `${ticks}`);

  // The middle atom is in the middle of the scene, and has the same colour when it is selected, within its ring.
  await page.keyboard.press("z");
  await page.mouse.move(2, 2);
  const middle = await middleOf(page);
  const colour = async () => {
    const png = await page.locator(STAGE).screenshot();
    return (await pixelsOf(page, png, [[middle.width / 2, middle.height / 2]]))[0]!;
  };
  const orange = (pixels: number[][]) =>
    pixels.filter(([r, g, b]) => r! > 225 && g! > 110 && g! < 170 && b! < 60).length;
  const before = await until(colour, ([r, g, b]) => Math.max(r!, g!, b!) - Math.min(r!, g!, b!) > 20);
  await choose(server, session, room, [1]);
  await status(page).getByText("1 selected").waitFor();
  await until(
    () => middleColumn(page),
    (column) => orange(column) >= 4,
  );
  const after = await colour();
  for (const [part, value] of before.entries())
    assert.ok(Math.abs(value - after[part]!) < 8, `${before} became ${after}`);

  // The card of the atom under the pointer is in the corner.
  await page.mouse.move(middle.x, middle.y);
  const card = page.getByRole("tooltip").filter({ hasText: "atom 1" });
  await card.waitFor();
  const box = (await card.boundingBox())!;
  const [dx, dy] = [middle.x - (box.x + box.width), box.y - middle.y];
  assert.ok(Math.max(dx, dy) > 80, `the card is ${dx}, ${dy} px away from the pointer`);

  // Pictures: their size, and with or without the ring.
  await page.getByRole("button", { name: "Save a picture", exact: true }).click();
  const size = page.getByRole("radiogroup", { name: "Size of the picture" });
  const save = async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the picture" }).click(),
    ]);
    const png = await readFile(await file.path());
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const line = Array.from({ length: height }, (_, y) => [width / 2, y] as const);
    return { width, ring: orange(await pixelsOf(page, png, line)) };
  };
  await size.getByText("1x").click();
  const plain = await save();
  assert.deepEqual(plain, { width: Math.floor(middle.width), ring: 0 });
  await size.getByText("Width").click();
  await page.getByRole("textbox", { name: "Width in pixels" }).fill("3000");
  await page.getByRole("switch", { name: "Rings of the selection" }).click();
  const wide = await save();
  assert.equal(wide.width, 3000);
  assert.ok(wide.ring > 4, `${wide.ring} pixels of the ring`);
  await page.keyboard.press("Escape");

  // Another room has its own colours, and this one still has them afterwards.
  await page.goto(`/rooms/${other}`);
  await page.locator(`${STAGE}[data-atoms="3"]`).waitFor();
  assert.equal(await page.getByRole("figure", { name: /^Colours by/ }).count(), 0);
  await page.goto(`/rooms/${room}`);
  await legend.waitFor();
});

test("keys work wherever the focus is, but not in fields, and rows of the table are chosen by them", async ({
  server,
  openPage,
}) => {
  const { session, room } = await roomOf(server, "keys", [
    smallFrame([8, 1, 1, 8], [0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5]),
  ]);
  const page = await enter(openPage, session, room, 4);
  await page.locator(".dv-tab", { hasText: "Extensions" }).click();
  await page.keyboard.press("a");
  await status(page).getByText("4 selected").waitFor();
  await page.keyboard.press("Escape");
  await status(page).getByText("selected").waitFor({ state: "detached" });
  const bonds = page.getByRole("button", { name: "Bonds (B)" });
  await page.keyboard.press("b");
  await bonds.and(page.locator("[aria-pressed=false]")).waitFor();
  const search = page.getByRole("textbox", { name: "Search extensions" });
  await search.pressSequentially("ba");
  assert.equal(await search.inputValue(), "ba");
  await bonds.and(page.locator("[aria-pressed=false]")).waitFor();
  await search.fill("");

  await page.locator(".dv-tab", { hasText: "Atoms" }).click();
  const table = page.getByRole("grid", { name: "Atoms" });
  await table.locator("[data-atom='3']").waitFor();
  await table.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await status(page).getByText("1 selected: 1").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await status(page).getByText("2 selected: 1, 3").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+ArrowDown");
  await status(page).getByText("2 selected: 0, 1").waitFor();
  // The second key of "g a" is not a key of the viewer.
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.keyboard.press("+");
  await status(page).getByText("3 selected").waitFor();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog");
  await sheet.getByText("Admin (for admins)").waitFor();
  await sheet.getByText("Grow the selection by one bond, or shrink it").waitFor();
});

test("the camera is fitted to a structure of another size, also after following, and to nothing else", async ({
  server,
  openPage,
}) => {
  const pair = (shift: number) => smallFrame([29, 29], [0, 0, 0, 3 + shift, 0, 0], { edge: 4 });
  const { session, room } = await roomOf(server, "fit", [pair(0), pair(0.2)]);
  const page = await enter(openPage, session, room, 2);
  await choose(server, session, room, [0, 1]);
  const measureWithinCell = async (on: WatchedPage) => {
    await on.getByRole("button", { name: "Atoms and bonds", exact: true }).click();
    await on.getByRole("switch", { name: "Measure to the nearest image" }).click();
    await on.keyboard.press("Escape");
  };
  await measureWithinCell(page);
  /** How long the line between both atoms is on the screen. */
  const apart = async (on: WatchedPage) => {
    const path = (await on.locator(".wr-viewer-measures path").first().getAttribute("d")) ?? "";
    const [x1, y1, x2, y2] = path.match(/-?[\d.]+/g)?.map(Number) ?? [];
    return Math.hypot(x2! - x1!, y2! - y1!);
  };
  const shown = (on: WatchedPage, text: string) =>
    on.getByRole("list", { name: "Measurements" }).getByText(text).waitFor();
  await shown(page, "3.000 Å");
  const near = await until(
    () => apart(page),
    (px) => px > 0,
  );
  // An ordinary step: the line grows with the distance, and not by the camera.
  await page.keyboard.press("End");
  await shown(page, "3.200 Å");
  await until(
    () => apart(page),
    (px) => Math.abs(px / near - 3.2 / 3) < 0.02,
  );

  const { jobId: id } = await server.submit(session, room, "modifiers/Supercell", { a: 3, b: 3, c: 3 });
  await server.job(session, id, "completed");
  await page.getByTestId("length").getByText("of 3").waitFor();
  await page.keyboard.press("End");
  await page.locator(`${STAGE}[data-atoms="54"]`).waitFor();
  await until(
    () => apart(page),
    (px) => px < 0.6 * near,
  );
  await page.keyboard.press("Home");
  await until(
    () => apart(page),
    (px) => Math.abs(px / near - 1) < 0.05,
  );

  // He follows her, and stops: her camera stays until a structure of another size comes.
  const his = await enter(openPage, await server.signIn("bob-fits"), room, 2);
  await measureWithinCell(his);
  await his.getByRole("button", { name: "vera", exact: true }).click();
  await his.getByRole("menuitem", { name: "Follow vera" }).click();
  await his.getByText("You follow vera").waitFor();
  const { x, y } = await middleOf(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  const close = await until(
    () => apart(page),
    (px) => px > 1.2 * near,
  );
  await until(
    async () => (await apart(his)) / (await apart(page)),
    (ratio) => Math.abs(ratio - 1) < 0.05,
  );
  await his.keyboard.press("Escape");
  await his.getByText("You follow vera").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await until(
    () => apart(his),
    (px) => px > 1.03 * close,
  );
  await page.keyboard.press("End");
  await his.locator(`${STAGE}[data-atoms="54"]`).waitFor();
  await until(
    () => apart(his),
    (px) => px < 0.6 * near,
  );
  // A molecule that is added far away comes into view.
  await addFrames(server, session, room, [smallFrame([8, 8], [0, 0, 0, 40, 0, 0])]);
  await his.getByTestId("length").getByText("of 4").waitFor();
  await his.keyboard.press("End");
  await shown(his, "40.000 Å");
  await until(
    () => apart(his),
    (px) => px > near && px < 1_280,
  );
});
