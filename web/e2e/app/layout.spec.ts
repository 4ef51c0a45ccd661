// The room page on screens of all sizes.
import assert from "node:assert/strict";
import { seriousFaults } from "../support/axe";
import { settled, test, unique, until } from "../support/fixtures";
import { enter, findAtom, frameShown, STAGE, waterRoom } from "../support/viewer";

test("the viewer has most of the page, and a tab counts what is new", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 2, 100);
  const share = async (width: number, height: number) => {
    const page = await enter(openPage, session, room, count, { size: { width, height } });
    const viewer = (await page.locator(".wr-viewer").boundingBox())!;
    return { page, share: viewer.width / width };
  };
  const { page, share: widest } = await share(1440, 900);
  const shares = new Map([[1440, widest]]);
  for (const [width, height] of [
    [1360, 850],
    [1280, 800],
    [1200, 800],
    [1024, 768],
  ] as const) {
    const other = await share(width, height);
    shares.set(width, other.share);
    await other.page.context().close();
  }
  assert.deepEqual(
    [...shares].filter(([, part]) => part < 0.55),
    [],
    "the viewer has at least 55 % of each width",
  );
  await server.call("POST", `/api/rooms/${room}/chat`, {
    token: (await server.signIn("wim")).token,
    body: { text: "look at frame @1" },
  });
  const chat = page.locator(".dv-tab", { hasText: "Chat" });
  await chat.getByLabel("1 unread").waitFor();
  await chat.click();
  await page.getByText("look at frame").waitFor();
  await chat.getByLabel("1 unread").waitFor({ state: "detached" });
  // The tab of a panel that was just opened is within the strip.
  await page.getByRole("button", { name: "Panels" }).click();
  for (const panel of ["Bookmarks", "Selections"]) await page.getByRole("menuitem", { name: panel }).click();
  const tab = page.locator(".dv-tab", { hasText: "Selections" });
  await until(
    async () => (await tab.boundingBox())!,
    ({ x, width }) => x + width <= 1440,
  );
});

test("a menu that opens hides the tooltip of its button", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 1, 10);
  const page = await enter(openPage, session, room, count);
  for (const [name, menu] of [
    ["Panels", "menu"],
    ["Atoms and bonds", "dialog"],
  ] as const) {
    const button = page.getByRole("button", { name, exact: true });
    const tooltip = page.getByRole("tooltip", { name });
    await button.hover();
    await tooltip.waitFor();
    await button.click();
    await page.getByRole(menu).waitFor();
    await tooltip.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole(menu).waitFor({ state: "detached" });
  }
});

test("on a phone one panel is shown at a time, and everything works by touch", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 20, 100);
  await server.worker(room);
  const size = { width: 390, height: 844 };
  const page = await enter(openPage, session, room, count, { size, touch: true });
  assert.equal((await page.locator(".wr-viewer").boundingBox())!.width, size.width);
  const beside = await page.evaluate(
    () =>
      [...document.querySelectorAll("header button, .wr-timeline button, .wr-viewer button")]
        .map((button) => ({ name: button.getAttribute("aria-label"), box: button.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.left < 0 || box.right > innerWidth))
        .map(({ name }) => name) as string[],
  );
  assert.deepEqual(beside, []);

  await page.getByRole("button", { name: "Play (Space)" }).tap();
  await until(
    () => frameShown(page),
    (frame) => frame > 2,
  );
  await page.getByRole("button", { name: "Pause (Space)" }).tap();

  const at = await findAtom(page);
  await page.touchscreen.tap(...at);
  await page.getByText("1 selected").waitFor();
  const before = await page.locator(STAGE).screenshot();
  const touches = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x = 0) =>
    touches.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: 100 + x, y: 500 }],
    });
  await touch("touchStart");
  for (const x of [20, 60, 120]) await touch("touchMove", x);
  // The finger rests before it is lifted: after a fling the browser takes the next tap for the one that stops it.
  for (const x of [121, 122]) {
    await page.waitForTimeout(200);
    await touch("touchMove", x);
  }
  await touch("touchEnd");
  await until(
    () => page.locator(STAGE).screenshot(),
    (picture) => !picture.equals(before),
  );
  await page.getByText("1 selected").waitFor();

  const panels = page.getByRole("navigation", { name: "Panels" });
  await panels.getByRole("button", { name: "Extensions" }).tap();
  await page.getByRole("button", { name: /^Settle/ }).tap();
  await page.getByRole("textbox", { name: "Steps", exact: true }).fill("3");
  await page.getByRole("button", { name: "Run", exact: true }).tap();
  await panels.getByRole("button", { name: "Jobs" }).tap();
  await page.locator("[data-testid=job][data-status=completed]").getByText("Settle").waitFor();
  await page.getByRole("button", { name: `${room}: pages of this room` }).tap();
  await page.getByRole("menuitem", { name: "Settings" }).tap();
  await page.waitForURL(`**/rooms/${room}/settings`);
});

test("tables fit a phone: they scroll within their box, and words are whole", async ({
  server,
  openPage,
}) => {
  const admin = await server.admin();
  const name = unique("li-battery");
  await server.makeRoom(admin, name, { visibility: "private", description: "Delithiation of LiFePO4" });
  const page = await openPage({ session: admin, size: { width: 390, height: 844 } });
  for (const address of [
    "/",
    "/jobs",
    "/postings",
    "/account",
    `/rooms/${name}/settings`,
    "/admin/users",
    "/admin/rooms",
    "/admin/space",
    "/admin/queues",
    "/admin/audit",
    "/admin/settings",
  ]) {
    await page.goto(address);
    await settled(page);
    const width = await page.evaluate(() => document.scrollingElement!.scrollWidth);
    assert.equal(width, 390, `${address} is wider than the screen`);
  }
  const host = page.getByRole("row", { name: /^host/ }).getByRole("cell");
  for (const box of await host.evaluateAll((cells) =>
    cells.map((cell) => cell.getBoundingClientRect().toJSON()),
  ))
    assert.ok(box.width > 300 && box.height < 60, `a cell of the settings is ${box.width} x ${box.height}`);
  await page.goto("/");
  const label = page.getByRole("row", { name: new RegExp(name) }).getByText("private", { exact: true });
  assert.ok(await label.evaluate((text) => text.scrollWidth <= text.clientWidth), "the label is cut");
});

test("a room with frames and a form has no serious fault that axe finds", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 2, 99);
  await server.worker(room);
  const page = await openPage({ session });
  await page.goto(`/rooms/${room}?ext=modifiers/Anneal`);
  await page.locator(`${STAGE}[data-atoms="${count}"]`).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  assert.deepEqual(await seriousFaults(page, "light"), []);
});
