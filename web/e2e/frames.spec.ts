// What chemists do with the frames of a trajectory: map them, select them, and play a part of them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { expectClean, test, until } from "./fixtures";
import { enter, frameShown, waterRoom } from "./viewer";

test("frames are selected in a map with a lasso, and only these or each n-th are played", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 40, 100);
  const page = await enter(openPage, session, room, count);
  await page.getByRole("button", { name: "Panels" }).click();
  await page.getByRole("menuitem", { name: "Map" }).click();
  await page.keyboard.press("Escape");
  const points = page.locator(".js-plotly-plot .points path");
  await until(
    () => points.count(),
    (found) => found === 40,
  );
  // Frame against energy is a line from the lower left to the upper right: the left half holds the first frames.
  const { x, y, width, height } = (await page.locator(".js-plotly-plot .nsewdrag").first().boundingBox())!;
  await page.mouse.move(x + 2, y + 2);
  await page.mouse.down();
  for (const [a, b] of [
    [0.5, 0.01],
    [0.5, 0.99],
    [0.01, 0.99],
  ] as const)
    await page.mouse.move(x + a * width, y + b * height, { steps: 5 });
  await page.mouse.up();
  const selection = () => server.call("GET", `/api/rooms/${room}/frame-selection`, { token: session.token });
  const { indices } = await until(selection, ({ indices: found }) => (found ?? []).length > 0);
  assert.ok(indices.length > 10 && indices.length < 30, `${indices.length} of 40 frames are in the lasso`);
  assert.deepEqual(
    indices,
    indices.map((_: number, at: number) => at + indices[0]),
  );

  const visited = async () => {
    await page.getByRole("button", { name: "Play (Space)" }).click();
    const seen = new Set<number>();
    await until(
      async () => seen.add(await frameShown(page)).size,
      (many) => many > 4,
    );
    await page.getByRole("button", { name: "Pause (Space)" }).click();
    return [...seen];
  };
  await page.getByRole("button", { name: "Last frame (End)" }).click();
  const menu = page.getByRole("button", { name: "Frames that are played" });
  await menu.click();
  await page.getByRole("switch", { name: `Only the ${indices.length} selected frames` }).click();
  await page.keyboard.press("Escape");
  const chosen = (await visited()).filter((frame) => frame !== 39);
  assert.deepEqual(
    chosen.filter((frame) => !indices.includes(frame)),
    [],
  );

  await menu.click();
  await page.getByRole("button", { name: "Play all frames" }).click();
  await page.getByRole("textbox", { name: "Each n-th frame" }).fill("5");
  await page.getByRole("textbox", { name: "From frame" }).fill("10");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "First frame (Home)" }).click();
  const sampled = (await visited()).filter((frame) => frame !== 0);
  assert.deepEqual(
    sampled.filter((frame) => frame < 10 || frame % 5 !== 0),
    [],
  );
  // The movie has the frames that are played: 10, 15, …, 35.
  await page.getByRole("button", { name: "Save a movie", exact: true }).click();
  await page.getByRole("textbox", { name: "Width in pixels" }).fill("200");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the movie" }).click(),
  ]);
  const gif = await readFile(await download.path());
  assert.equal(gif.subarray(0, 6).toString("latin1"), "GIF89a");
  assert.equal(gif.readUInt16LE(6), 200);
  assert.equal(gif.toString("latin1").split("\x21\xf9\x04").length - 1, 6);
  await page.keyboard.press("Escape");
  // The principal components of all properties are a map, too.
  await page.getByRole("combobox", { name: "Across" }).click();
  await page.getByRole("option", { name: "Volume of the cell" }).waitFor();
  expectClean(page, server);
});
