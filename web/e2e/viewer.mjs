// What people do in a room with a trajectory, as sentences: see it, play it, choose atoms, talk, undo.
import assert from "node:assert/strict";
import { someone } from "./browser.mjs";
import { addFrames, shaken, water } from "./structures.mjs";

const STAGE = ".wr-stage canvas";
let number = 0;
const fresh = (name) => `${name}-${++number}-${Date.now() % 100_000}`;

async function waterRoom(world, frames = 30, atoms = 1_000) {
  const session = await world.signIn("vera");
  const room = fresh("water");
  await world.makeRoom(session, room);
  const box = water(atoms);
  await addFrames(world, session, room, shaken(box, frames));
  return { session, room, count: box.numbers.length };
}

async function enter(browser, world, session, room, count, more = {}) {
  const page = await someone(browser, world.url, { session, ...more });
  await page.goto(`/rooms/${room}`);
  await page.locator(`${STAGE}[data-atoms="${count}"]`).waitFor({ timeout: 60_000 });
  return page;
}

/** How many pixels of the stage are not its background, and how many colours they have. */
export async function drawn(page) {
  const picture = (await page.locator(STAGE).screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data: rgba } = pen.getImageData(0, 0, canvas.width, canvas.height);
    // What there is most of.
    const counts = new Map();
    for (let at = 0; at < rgba.length; at += 4) {
      const colour = (rgba[at] << 16) | (rgba[at + 1] << 8) | rgba[at + 2];
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one)[0];
    const background = [most >> 16, (most >> 8) & 255, most & 255];
    const found = { some: 0, red: 0, all: rgba.length / 4 };
    for (let at = 0; at < rgba.length; at += 4) {
      const [r, g, b] = [rgba[at], rgba[at + 1], rgba[at + 2]];
      if (Math.abs(r - background[0]) + Math.abs(g - background[1]) + Math.abs(b - background[2]) > 24)
        found.some++;
      if (r > 120 && g < 90 && b < 90) found.red++;
    }
    return found;
  }, picture);
}

/** A place on the stage where an atom is. */
async function findAtom(page) {
  const { x, y, width, height } = await page.locator(STAGE).boundingBox();
  const card = page.locator(".wr-viewer-hover");
  for (let turn = 0; turn < 120; turn++) {
    const at = [
      x + width * (0.25 + 0.5 * ((turn * 0.618) % 1)),
      y + height * (0.25 + 0.5 * ((turn * 0.377) % 1)),
    ];
    await page.mouse.move(...at);
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    if (await card.count()) return at;
  }
  throw new Error("there is no atom to point at");
}

const frameShown = async (page) =>
  Number(await page.getByRole("slider", { name: "Frame" }).getAttribute("aria-valuenow"));

async function until(what, wanted, patience = 20_000) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await what();
    if (wanted(value)) return value;
    if (Date.now() > end) throw new Error(`waited in vain; the last was ${JSON.stringify(value)}`);
    await new Promise((next) => setTimeout(next, 60));
  }
}

async function playsATrajectory({ browser, world }) {
  const { session, room, count } = await waterRoom(world);
  const page = await enter(browser, world, session, room, count);
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
  assert.deepEqual(page.trouble, []);
  return `${before.some} of ${before.all} pixels`;
}

async function choosesAtoms({ browser, world }) {
  const { session, room, count } = await waterRoom(world, 2, 400);
  const page = await enter(browser, world, session, room, count);
  const at = await findAtom(page);
  await page.getByRole("tooltip").getByText("Position").waitFor();
  await page.mouse.click(...at);
  await page.getByText("1 selected").waitFor();
  const chosen = () =>
    world
      .call("GET", `/api/rooms/${room}/selections`, { token: session.token })
      .then(({ selections }) => selections.particles ?? []);
  await until(chosen, (atoms) => atoms.length === 1);
  const { x, y, width, height } = await page.locator(STAGE).boundingBox();
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
  await world.call("PUT", `/api/rooms/${room}/selections/particles`, {
    token: session.token,
    body: { indices: [0, 1] },
  });
  await page.getByText("2 selected: 0, 1").waitFor();
  const distance = await page.getByTestId("measurement").textContent();
  assert.match(distance, /^[\d.]+ Å$/);
  assert.deepEqual(page.trouble, []);
  return `${boxed.length} in the box, ${distance}`;
}

async function coloursByAnArray({ browser, world }) {
  const { session, room, count } = await waterRoom(world, 1, 300);
  const page = await enter(browser, world, session, room, count);
  await page.getByRole("button", { name: "Colours", exact: true }).click();
  await page.getByRole("combobox", { name: "Colour by" }).click();
  await page.getByRole("option", { name: "Charges" }).click();
  await page.getByRole("figure", { name: "Colours by Charges" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vectors", exact: true }).click();
  await page.getByRole("combobox", { name: "Arrows for" }).click();
  await page.getByRole("option", { name: "Forces" }).click();
  await page.keyboard.press("Escape");
  const { red } = await drawn(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save a picture (P)" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.png$/);
  assert.deepEqual(page.trouble, []);
  return `${red} red pixels`;
}

async function keepsTwoBrowsersInStep({ browser, world }) {
  const { session, room, count } = await waterRoom(world, 20, 100);
  const [one, other] = await Promise.all([0, 1].map(() => enter(browser, world, session, room, count)));
  await one.getByRole("textbox", { name: "Frame number" }).fill("7");
  await until(
    () => frameShown(other),
    (frame) => frame === 7,
  );
  await other.getByRole("button", { name: "Follow the others" }).click();
  await one.getByRole("textbox", { name: "Frame number" }).fill("12");
  await until(
    () => frameShown(one),
    (frame) => frame === 12,
  );
  assert.equal(await frameShown(other), 7, "who looks around alone stays there");
  // Frames that come live are there, and the frame that was looked at is still the same one: it is not fetched again.
  const fetched = [];
  other.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/frames")) fetched.push(request.url());
  });
  await addFrames(world, session, room, shaken(water(100), 3));
  for (const page of [one, other]) await page.getByTestId("length").getByText("of 23").waitFor();
  await other.waitForTimeout(500);
  assert.deepEqual(fetched, []);
  await world.call("DELETE", `/api/rooms/${room}/frames?indices=0,1`, { token: session.token });
  await until(
    () => frameShown(other),
    (frame) => frame === 5,
  );
  for (const page of [one, other]) assert.deepEqual(page.trouble, []);
}

/** Frames that come at the worst moments of a page's arrival: each time it has to learn of them by itself. */
async function missesNothingOnTheWay({ browser, world }) {
  const { session, room } = await waterRoom(world, 2, 30);
  const more = () => addFrames(world, session, room, shaken(water(30), 1));
  const page = await someone(browser, world.url, { session });
  let joins = gate();
  let held = gate();
  let drop;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer();
    drop = () => {
      void server.close();
      void socket.close();
    };
    socket.onMessage(async (message) => {
      if (String(message).includes('"room:join"')) {
        held.open();
        await joins.opened.catch(() => undefined);
      }
      server.send(message);
    });
  });
  let states = gate();
  let asked = gate();
  let broken = 0;
  await page.route(`**/api/rooms/${room}/state`, async (route) => {
    if (broken > 0) {
      broken -= 1;
      return route.abort();
    }
    const answer = await route.fetch();
    asked.open();
    await states.opened.catch(() => undefined);
    await route.fulfill({ response: answer }).catch(() => undefined);
  });

  // Looked at first, joined later: nobody told this page about the third frame.
  states.open();
  await page.goto(`/rooms/${room}`);
  await page.getByTestId("length").getByText("of 2").waitFor();
  await more();
  joins.open();
  await page.getByTestId("length").getByText("of 3").waitFor();

  // The same when the line breaks and comes back.
  joins = gate();
  held = gate();
  drop();
  await held.opened;
  await more();
  joins.open();
  await page.getByTestId("length").getByText("of 4").waitFor();

  // An answer from before an event that comes after it: the event is newer.
  asked = gate();
  states = gate();
  drop();
  await asked.opened;
  await more();
  await page.getByTestId("length").getByText("of 5").waitFor();
  states.open();
  await new Promise((settled) => setTimeout(settled, 500));
  assert.equal(await page.getByTestId("length").textContent(), "of 5");

  // Looking fails, when it is needed: then once more.
  joins = gate();
  held = gate();
  broken = 1;
  drop();
  await held.opened;
  await more();
  joins.open();
  await page.getByTestId("length").getByText("of 6").waitFor();
  assert.equal(broken, 0);
  assert.deepEqual(page.trouble, []);
}

/** Something that is waited for until it is opened, though not for ever. */
function gate() {
  let open;
  const opened = new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error("the gate was never opened")), 30_000);
    open = () => {
      clearTimeout(timer);
      done();
    };
  });
  opened.catch(() => undefined);
  return { open, opened };
}

async function undoesAndTalks({ browser, world }) {
  const { session, room, count } = await waterRoom(world, 4, 100);
  const page = await enter(browser, world, session, room, count);
  await page.getByText("Changes", { exact: true }).first().click();
  await page
    .getByRole("button", { name: /^Undo: / })
    .first()
    .click();
  await page.getByTestId("length").getByText("of 0").waitFor();
  await page
    .getByRole("button", { name: /^Redo: / })
    .first()
    .click();
  await page.getByTestId("length").getByText("of 4").waitFor();
  await page.getByText("Chat", { exact: true }).first().click();
  await page
    .getByRole("textbox", { name: "Message" })
    .fill("look at @3 <img src=x onerror=alert(1)> **now**");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByRole("button", { name: "@3" }).click();
  await until(
    () => frameShown(page),
    (frame) => frame === 3,
  );
  assert.equal(await page.getByRole("log").locator("img").count(), 0);
  assert.deepEqual(page.trouble, []);
}

async function undoesAJob({ browser, world }) {
  const { session, room, count } = await waterRoom(world, 4, 100);
  const { jobId } = await world.submit(session, room, "modifiers/Center");
  await world.job(session, jobId, "completed");
  const length = async () => (await world.call("GET", `/api/rooms/${room}/state`, session)).length;
  assert.equal(await length(), 5);
  const page = await enter(browser, world, session, room, count);
  await page.goto(`/jobs/${jobId}`);
  await page.getByRole("button", { name: "Undo this job" }).click();
  await page.getByText("What this job did is undone.").waitFor();
  assert.equal(await length(), 4);
  assert.deepEqual(page.trouble, []);
}

async function showsFiguresAndLocks({ browser, world }) {
  const { session, room, count } = await waterRoom(world, 10, 100);
  const y = Array.from({ length: 10 }, (_, frame) => Math.sin(frame));
  await world.call("PUT", `/api/rooms/${room}/figures/energy`, {
    token: session.token,
    body: {
      data: [{ type: "scatter", mode: "markers", y }],
      layout: {},
      links: [{ trace: 0, to: "frames" }],
    },
  });
  const page = await enter(browser, world, session, room, count);
  await page.locator(".js-plotly-plot .points path").nth(6).waitFor({ timeout: 60_000 });
  const point = await page.locator(".js-plotly-plot .points path").nth(6).boundingBox();
  await page.mouse.move(point.x + point.width / 2, point.y + point.height / 2, { steps: 3 });
  await page.mouse.click(point.x + point.width / 2, point.y + point.height / 2);
  await until(
    () => frameShown(page),
    (frame) => frame === 6,
  );
  await page.locator(".wr-plot-marks circle").waitFor();
  const lock = await world.call("POST", `/api/rooms/${room}/locks/trajectory/acquire`, {
    token: (await world.admin()).token,
    body: { message: "uploading", ttlSeconds: 30 },
  });
  await page.getByTestId("lock-badge").getByText("uploading").waitFor();
  await world.call("POST", `/api/rooms/${room}/locks/trajectory/release`, {
    token: (await world.admin()).token,
    body: { token: lock.token },
  });
  await page.getByTestId("lock-badge").waitFor({ state: "detached" });
  assert.deepEqual(page.trouble, []);
}

export const viewerScenarios = [
  ["a trajectory of 1,000 atoms is drawn and played", playsATrajectory],
  ["atoms are chosen by clicks and boxes, measured, and shared", choosesAtoms],
  ["atoms are coloured by an array, with arrows, and saved as a picture", coloursByAnArray],
  ["two browsers are in step, and follow what happens to the frames", keepsTwoBrowsersInStep],
  ["frames that come while a page arrives are not missed", missesNothingOnTheWay],
  ["a change is undone and done again; a message points at a frame and runs nothing", undoesAndTalks],
  ["what a job did is undone from its page", undoesAJob],
  ["a figure's points are frames; a lock is seen while it is held", showsFiguresAndLocks],
];
