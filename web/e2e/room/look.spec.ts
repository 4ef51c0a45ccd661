// The look of the viewer: following a camera, presets, opacity by value, pictures and movies, geometries.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test, until, type WatchedPage } from "../support/fixtures";
import { drawn, enter, frameShown, STAGE, waterRoom } from "../support/viewer";

/** Where the ends of the axes are: they turn with the camera. */
const axes = (page: WatchedPage) =>
  page.locator(".wr-viewer-axes line").evaluateAll((lines) =>
    lines
      .map((line) => `${line.getAttribute("stroke")} ${line.getAttribute("x2")} ${line.getAttribute("y2")}`)
      .sort()
      .join(),
  );

async function turn(page: WatchedPage, by: number) {
  const before = await axes(page);
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  await page.mouse.move(x + 0.4 * width, y + 0.2 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.4 * width + by, y + 0.2 * height + by / 2, { steps: 5 });
  await page.mouse.up();
  await until(
    () => axes(page),
    (now) => now !== before,
  );
}

test("a camera is followed, and the look of the scene is chosen, kept, saved and filmed", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 6, 300);
  const hers = await enter(openPage, session, room, count);
  const his = await enter(openPage, await server.signIn("bob-looks"), room, count);
  const badge = his.getByText("You follow vera");
  const follow = async () => {
    await his.getByRole("button", { name: "vera", exact: true }).click();
    await his.getByRole("menuitem", { name: "Follow vera" }).click();
    await badge.waitFor();
  };
  // He sees her view at once, then each movement and frame, also when she looks at frames on her own.
  await turn(hers, 90);
  await follow();
  const same = async () => (await axes(his)) === (await axes(hers));
  await until(same, Boolean);
  await turn(hers, -160);
  await until(same, Boolean);
  await hers.getByRole("button", { name: "Follow the others" }).click();
  await hers.getByRole("button", { name: "Last frame (End)" }).click();
  await until(
    () => frameShown(his),
    (frame) => frame === 5,
  );
  // His own camera ends it, and the frame is that of the room again.
  await turn(his, 60);
  await badge.waitFor({ state: "detached" });
  await until(
    () => frameShown(his),
    (frame) => frame === 0,
  );
  const own = await axes(his);
  await turn(hers, 80);
  assert.equal(await axes(his), own);
  await follow();
  await until(same, Boolean);
  await his.keyboard.press("Escape");
  await badge.waitFor({ state: "detached" });
  await his.context().close();

  // Presets are kept for the room, and a reset gives the page's background back.
  const look = hers.getByRole("button", { name: /^Look: / });
  await look.click();
  await hers.getByRole("radiogroup", { name: "Preset" }).getByText("Drawing").click();
  await hers.getByRole("radiogroup", { name: "Part of the look" }).getByText("Camera").click();
  await hers.getByRole("button", { name: "a", exact: true }).click();
  const along = await axes(hers);
  await hers.getByRole("button", { name: "First view" }).click();
  await until(
    () => axes(hers),
    (now) => now !== along,
  );
  await hers.getByRole("radiogroup", { name: "Part of the look" }).getByText("Background").click();
  await hers.getByRole("switch", { name: "Transparent in pictures" }).click({ force: true });
  await hers.reload();
  await hers.locator(`${STAGE}[data-atoms="${count}"]`).waitFor();
  await look.click();
  await hers.getByRole("radiogroup", { name: "Part of the look" }).getByText("Background").click();
  assert.ok(await hers.getByRole("switch", { name: "Transparent in pictures" }).isChecked());
  assert.ok(await hers.getByRole("radio", { name: "White" }).isChecked());
  await hers.keyboard.press("Escape");

  // Atoms with low charges, the oxygens, cannot be seen.
  await hers.getByRole("button", { name: "Colours", exact: true }).click();
  await hers.getByRole("combobox", { name: "Colour by" }).click();
  await hers.getByRole("option", { name: /charges/i }).click();
  await hers.getByRole("figure", { name: /^Colours by/ }).waitFor();
  await hers.keyboard.press("Escape");
  const coloured = await drawn(hers);
  await hers.getByRole("button", { name: "Colours", exact: true }).click();
  await hers.getByRole("switch", { name: "Opacity follows the value" }).click({ force: true });
  await hers.getByRole("slider", { name: "Lowest opacity" }).press("Home");
  await hers.keyboard.press("Escape");
  await until(
    () => drawn(hers),
    ({ some }) => some < 0.9 * coloured.some,
  );

  // A picture without background, and a movie that the browser can play.
  await hers.locator(".wr-viewer").focus();
  const [picture] = await Promise.all([hers.waitForEvent("download"), hers.keyboard.press("p")]);
  const png = (await readFile(await picture.path())).toString("base64");
  const opacities = await hers.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d")!;
    pen.drawImage(image, 0, 0);
    const { data: rgba } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const found = { corner: rgba[3]!, clear: 0, opaque: 0 };
    for (let at = 3; at < rgba.length; at += 4) {
      if (rgba[at] === 0) found.clear++;
      if (rgba[at] === 255) found.opaque++;
    }
    return found;
  }, png);
  assert.equal(opacities.corner, 0);
  assert.ok(opacities.clear > 1000 && opacities.opaque > 1000, JSON.stringify(opacities));
  await hers.getByRole("button", { name: "Save a movie", exact: true }).click();
  await hers.getByRole("radiogroup", { name: "Format" }).getByText("WebM").click();
  await hers.getByRole("textbox", { name: "Width in pixels" }).fill("200");
  const [film] = await Promise.all([
    hers.waitForEvent("download"),
    hers.getByRole("button", { name: "Save the movie" }).click(),
  ]);
  const webm = (await readFile(await film.path())).toString("base64");
  // The app's own pages may not play videos.
  const player = await hers.context().newPage();
  const width = await player.evaluate(async (data) => {
    const video = document.createElement("video");
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
    await new Promise((done, fail) => {
      video.onloadeddata = done;
      video.onerror = fail;
    });
    return video.videoWidth;
  }, webm);
  assert.equal(width, 200);
  await player.close();
  await hers.keyboard.press("Escape");

  // The geometries of the room: hidden, edited and deleted, each in one change that can be undone.
  const cell = async () =>
    (await server.call("GET", `/api/rooms/${room}/geometries`, session)).geometries.cell?.data;
  await hers.getByRole("button", { name: "Panels", exact: true }).click();
  await hers.getByRole("menuitem", { name: "Geometries" }).click();
  await hers.keyboard.press("Escape");
  await hers.getByRole("button", { name: "Hide cell" }).click();
  await hers.getByRole("button", { name: "Show cell" }).waitFor();
  assert.equal((await cell()).visible, false);
  const list = hers.getByRole("list", { name: "Geometries" });
  await list.getByRole("button", { name: "cell", exact: true }).click();
  await list.getByRole("textbox", { name: /^Colour/ }).fill("#ff0000");
  await hers.keyboard.press("Tab"); // closes the colours
  await list.getByRole("button", { name: "Save" }).click();
  await until(cell, (data) => data?.color === "#ff0000");
  assert.equal((await cell()).visible, false);
  await hers.getByRole("button", { name: "Delete cell" }).click();
  await until(cell, (data) => data === undefined);
  await hers.keyboard.press("Control+z");
  await until(cell, (data) => data?.color === "#ff0000");
});
