// What chemists do with the frames of a trajectory: map them, select them, and play a part of them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test, until } from "../support/fixtures";
import { addFrames, shaken, smallFrame, water } from "../support/structures.mjs";
import { enter, frameShown, roomOf, waterRoom } from "../support/viewer";

test("frames are selected in a map with a lasso, and only these or each n-th are played", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 40, 100);
  const page = await enter(openPage, session, room, count);
  await page.getByRole("button", { name: "Panels" }).click();
  await page.getByRole("menuitem", { name: "Map" }).click();
  await page.keyboard.press("Escape");
  const points = page.locator("[data-testid=figure][data-points='40']");
  await points.waitFor();
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

  // A double click takes the lasso away, and the menu deselects what was selected elsewhere.
  const deselected = () => until(selection, ({ indices: found }) => found === null);
  await page.mouse.dblclick(x + width / 2, y + height / 2);
  await deselected();
  const body = { indices: [3, 4] };
  await server.call("PUT", `/api/rooms/${room}/frame-selection`, { token: session.token, body });
  await menu.click();
  await page.getByRole("switch", { name: "Only the 2 selected frames" }).waitFor();
  await page.getByRole("button", { name: "Deselect the frames" }).click();
  await deselected();
  await page.getByRole("switch", { name: "Only the 0 selected frames" }).waitFor();
});

test("a long trajectory is counted, downloaded, plotted twice, and its movie can be cancelled", async ({
  server,
  openPage,
}) => {
  const frames = Array.from({ length: 1_000 }, (_, at) =>
    smallFrame([8, 1, 1], [0, 0, 0, 1, at / 1_000, 0, 0, 1, 0], {
      "calc.energy": at,
      "info.width": Math.sin(at / 50),
    }),
  );
  const { session, room } = await roomOf(server, "long", frames);
  for (const [name, template] of [
    ["energy", undefined],
    ["own", { layout: { plot_bgcolor: "#ffffff", paper_bgcolor: "#ffffff" } }],
  ] as const)
    await server.call("PUT", `/api/rooms/${room}/figures/${name}`, {
      token: session.token,
      body: { data: [{ type: "scatter", x: [0, 1, 2], y: [2, 1, 3] }], layout: template ? { template } : {} },
    });
  const page = await enter(openPage, session, room, 3);
  await page.getByRole("button", { name: "Last frame (End)" }).click();
  const counter = page.getByRole("textbox", { name: "Frame number" });
  await until(
    () => counter.inputValue(),
    (value) => value === "999",
  );
  // Four digits are shown whole, with the number of frames beside them.
  await counter.fill("1000");
  const clipped = () => counter.evaluate((input) => input.scrollWidth - input.clientWidth);
  assert.ok((await clipped()) <= 0, `${await clipped()} px of the frame number are cut off`);
  await page.keyboard.press("Escape");
  await page.getByTestId("length").getByText("of 1,000").waitFor();

  // Two figures at once, the second with a template of its own: the tool bars of both are dark on light.
  const figures = page.getByRole("combobox", { name: "Figures" });
  await figures.click();
  await page.getByRole("option", { name: "own" }).click();
  await page.keyboard.press("Escape");
  await until(
    () => page.getByTestId("figure").count(),
    (many) => many === 2,
  );
  const bars = page.locator(".js-plotly-plot .modebar-group");
  await bars.nth(1).waitFor({ state: "attached" });
  const colours = await bars.evaluateAll((groups) =>
    groups.map((group) => getComputedStyle(group).backgroundColor),
  );
  assert.deepEqual([...new Set(colours)], ["rgba(255, 255, 255, 0.9)"]);

  // The map of the principal components of all properties.
  await page.getByRole("button", { name: "Panels" }).click();
  await page.getByRole("menuitem", { name: "Map" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Across" }).click();
  await page.getByRole("option", { name: "Principal components" }).click();
  await page.locator(".xtitle", { hasText: "First component" }).waitFor();
  await page.locator("[data-testid=figure][data-points='1000']").waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Up" }).count(), 0);

  // All frames, the shown one, or a range, in the formats of the server.
  await page.getByRole("button", { name: "Download frames", exact: true }).click();
  const which = page.getByRole("radiogroup", { name: "Frames to download" });
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const framesIn = (text: string) => text.split("\n").filter((line) => line.trim() === "3").length;
  const all = await download();
  assert.deepEqual([all.name, framesIn(all.text)], [`${room}.extxyz`, 1_000]);
  await which.getByText("Range").click();
  await page.getByRole("textbox", { name: "Download from frame" }).fill("10");
  await page.getByRole("textbox", { name: "Download to frame" }).fill("20");
  await page.getByRole("textbox", { name: "Each n-th" }).fill("5");
  const range = await download();
  assert.deepEqual([range.name, framesIn(range.text)], [`${room}-10-20.extxyz`, 3]);
  await which.getByText("This one").click();
  await page.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "CIF" }).click();
  const one = await download();
  assert.match(one.name, /-\d+\.cif$/);
  assert.equal(one.text.split("data_").length, 2);
  await page.keyboard.press("Escape");

  // Each fifth frame is read for the range of the colours, and the menu says so.
  await page.getByRole("button", { name: "Colours", exact: true }).click();
  await page.getByRole("combobox", { name: "Colour by" }).click();
  await page.getByRole("option", { name: "Position" }).click();
  await page.getByText("The range of 200 of the 1,000 frames, in equal distances").waitFor();
  await page.getByRole("button", { name: "200 frames" }).click();
  await until(
    () => page.getByRole("textbox", { name: "To", exact: true }).inputValue(),
    (value) => value !== "",
  );
  await page.keyboard.press("Escape");

  // A movie says how far it is, goes on while other menus and panels are used, and ends when one says so.
  await page.getByRole("button", { name: "Save a movie", exact: true }).click();
  await page.getByRole("button", { name: "Save the movie" }).click();
  const cancel = page.getByRole("button", { name: /^Cancel after [1-9]\d* of 1000 frames/ });
  await cancel.waitFor();
  const saved = async () =>
    Number(await page.getByRole("progressbar", { name: /of 1000 frames/ }).getAttribute("aria-valuenow"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save the movie" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Panels" }).click();
  await page.getByRole("menuitem", { name: "Bookmarks" }).click();
  await page.keyboard.press("Escape");
  await page.getByText("Chat", { exact: true }).first().click();
  const before = await saved();
  await until(saved, (share) => share > before);
  await page.getByRole("button", { name: /^Cancel after/ }).click();
  await page.getByTestId("movie").waitFor({ state: "detached" });
  // The viewer shows the frame of the timeline again, and another movie can be saved.
  await page.getByRole("button", { name: "Save a movie", exact: true }).click();
  await page.getByRole("button", { name: "Save the movie" }).click();
  await cancel.waitFor();
  // One that cannot go on says so.
  await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
  await page.getByText("The movie was not saved").waitFor();
});

test("on a phone a movie is saved while another panel is shown", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 30, 300);
  const page = await enter(openPage, session, room, count, { size: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Save a movie", exact: true }).click();
  await page.getByRole("textbox", { name: "Width in pixels" }).fill("200");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the movie" }).click();
  await page.getByRole("button", { name: /^Cancel after/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name: "Chat" }).click();
  const gif = await readFile(await (await download).path());
  assert.equal(gif.readUInt16LE(6), 200);
  assert.equal(gif.toString("latin1").split("\x21\xf9\x04").length - 1, 30);
  await page.getByTestId("movie").waitFor({ state: "detached" });
});

test("a map of more frames than it draws says how many have a point", async ({ server, openPage }) => {
  const one = smallFrame([1], [0, 0, 0], { "calc.energy": 1 });
  const { session, room } = await roomOf(
    server,
    "many",
    (function* () {
      for (let at = 0; at < 20_001; at++) yield one;
    })(),
  );
  const page = await enter(openPage, session, room, 1);
  await page.getByRole("button", { name: "Panels" }).click();
  await page.getByRole("menuitem", { name: "Map" }).click();
  await page.keyboard.press("Escape");
  await page.getByText("10,001 of 20,001 frames, in equal distances").waitFor({ timeout: 60_000 });
});

test("a map fetches new frames alone, and all frames again after another change", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 30, 30);
  const page = await enter(openPage, session, room, count);
  const asked: string[] = [];
  page.on("request", (request) => {
    const address = new URL(request.url());
    if (address.pathname.endsWith("/frames") && address.searchParams.get("keys")?.includes("energy"))
      asked.push(address.searchParams.get("start")!);
  });
  await page.getByRole("button", { name: "Panels" }).click();
  await page.getByRole("menuitem", { name: "Map" }).click();
  await page.keyboard.press("Escape");
  const points = (number: number) => page.locator(`[data-testid=figure][data-points='${number}']`).waitFor();
  await points(30);
  await addFrames(server, session, room, shaken(water(30), 2));
  await points(32);
  assert.deepEqual(asked, ["0", "30"]);
  await server.call("POST", `/api/rooms/${room}/frames?action=delete&indices=3`, { token: session.token });
  await points(31);
  await until(
    async () => asked,
    (starts) => starts.length > 2,
  );
  assert.deepEqual(asked, ["0", "30", "0"]);
});
