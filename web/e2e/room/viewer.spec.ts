// A room with a trajectory: playing, selecting, colouring.
import assert from "node:assert/strict";
import { expect } from "@playwright/test";
import { note, test, until } from "../support/fixtures";
import { water } from "../support/structures.mjs";
import { drawn, enter, findAtom, frameShown, STAGE, waterRoom } from "../support/viewer";

test("a trajectory of 1,000 atoms is drawn and played", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server);
  const page = await enter(openPage, session, room, count);
  const before = await drawn(page);
  assert.ok(before.some > before.all * 0.02, `something is drawn: ${JSON.stringify(before)}`);
  assert.ok(before.red > 200, `oxygen is red: ${JSON.stringify(before)}`);
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until(
    () => frameShown(page),
    (frame) => frame > 5,
  );
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await page.getByRole("button", { name: "Last frame (End)" }).click();
  await until(
    () => frameShown(page),
    (frame) => frame === 29,
  );
  note(`${before.some} of ${before.all} pixels`);
});

test("atoms are chosen by clicks and boxes, measured, and shared", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 2, 400);
  const page = await enter(openPage, session, room, count);
  const at = await findAtom(page);
  await page.getByRole("tooltip").getByText("Position").waitFor();
  await page.mouse.click(...at);
  await page.getByText("1 selected").waitFor();
  const chosen = () =>
    server
      .call("GET", `/api/rooms/${room}/selections`, { token: session.token })
      .then(({ selections }) => selections.particles ?? []);
  await until(chosen, (atoms) => atoms.length === 1);
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  await page.keyboard.down("Shift");
  await page.mouse.move(x + width * 0.3, y + height * 0.3);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height * 0.6, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  const boxed = await until(chosen, (atoms) => atoms.length > 5);
  await page.keyboard.press("Escape");
  await until(chosen, (atoms) => atoms.length === 0);
  // And the other way round: what somebody else chooses is seen here, and two atoms are measured.
  await server.call("PUT", `/api/rooms/${room}/selections/particles`, {
    token: session.token,
    body: { indices: [0, 1] },
  });
  await page.getByText("2 selected: 0, 1").waitFor();
  const distance = await page.getByTestId("measurement").textContent();
  assert.match(distance ?? "", /^[\d.]+ Å$/);
  // The nearest image is measured: nothing is further away than half of the box's diagonal.
  const { positions, edge } = water(400);
  const away = (atom: number) =>
    Math.hypot(...[0, 1, 2].map((part) => positions[3 * atom + part]! - positions[part]!));
  const far = Array.from({ length: count }, (_, atom) => atom).reduce((a, b) => (away(b) > away(a) ? b : a));
  assert.ok(away(far) > edge);
  await server.call("PUT", `/api/rooms/${room}/selections/particles`, {
    token: session.token,
    body: { indices: [0, far] },
  });
  await page.getByText(`2 selected: 0, ${far}`).waitFor();
  const measured = async () => Number.parseFloat((await page.getByTestId("measurement").textContent()) ?? "");
  await until(measured, (angstrom) => angstrom < edge * 0.87);
  await page.getByRole("button", { name: "Atoms and bonds", exact: true }).click();
  await page.getByRole("switch", { name: "Measure to the nearest image" }).click();
  await until(measured, (angstrom) => Math.abs(angstrom - away(far)) < 1);
  note(`${boxed.length} in the box, ${distance}`);
});

test("the lists of the viewer's menus are shown in full, also when the keys of the frame arrive late", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 1, 30);
  const page = await enter(openPage, session, room, count);
  await page.route("**/frames/metadata*", async (route) => {
    await new Promise((next) => setTimeout(next, 400));
    await route.continue();
  });
  for (const [menu, field, last] of [
    ["Colours", "Colour by", "Forces"],
    ["Vectors", "Arrows for", "Forces"],
    ["Atoms and bonds", "Atoms as", "Space filling"],
  ] as const) {
    await page.getByRole("button", { name: menu, exact: true }).click();
    const input = page.getByRole("combobox", { name: field });
    await input.click();
    await expect(page.getByRole("option", { name: last, exact: true })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(field, { exact: true })).toBeInViewport({ ratio: 1 });
    const [above, below] = [await input.boundingBox(), await page.getByRole("listbox").boundingBox()];
    assert.ok(above!.y + above!.height <= below!.y || below!.y + below!.height <= above!.y);
    await page.getByRole("option", { name: last, exact: true }).click();
    await expect(input).toHaveValue(last);
    await page.keyboard.press("Escape");
  }
});

test("atoms are coloured by an array, with arrows, and saved as a picture", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 1, 300);
  const page = await enter(openPage, session, room, count);
  await page.getByRole("button", { name: "Colours", exact: true }).click();
  await page.getByRole("combobox", { name: "Colour by" }).click();
  await page.getByRole("option", { name: "Charges" }).click();
  await page.getByRole("figure", { name: "Colours by Charges" }).getByText("Charges (e)").waitFor();
  await page.getByRole("button", { name: "All frames", exact: true }).click();
  await until(
    () => page.getByRole("textbox", { name: "From", exact: true }).inputValue(),
    (least) => Number(least) < -0.8,
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vectors", exact: true }).click();
  await page.getByRole("combobox", { name: "Arrows for" }).click();
  await page.getByRole("option", { name: "Forces" }).click();
  await page.keyboard.press("Escape");
  const { red } = await drawn(page);
  await page.getByRole("button", { name: "Save a picture", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the picture" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.png$/);
  note(`${red} red pixels`);
});
