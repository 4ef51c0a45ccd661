// Browsers stay in step with the room.
import assert from "node:assert/strict";
import type { Request } from "@playwright/test";
import { test, until } from "../support/fixtures";
import { addFrames, shaken, water } from "../support/structures.mjs";
import { enter, frameShown, waterRoom } from "../support/viewer";

test("two browsers are in step, and follow what happens to the frames", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 20, 100);
  const open = () => enter(openPage, session, room, count);
  const [one, other] = await Promise.all([open(), open()]);
  await one.getByRole("textbox", { name: "Frame number" }).fill("7");
  await until(
    () => frameShown(other),
    (frame) => frame === 7,
  );
  // A step of one's own, from another window or by a job, is nobody else's.
  await server.call("PUT", `/api/rooms/${room}/step`, { token: session.token, body: { step: 9 } });
  await until(
    () => frameShown(one),
    (frame) => frame === 9,
  );
  assert.equal(await one.getByText("with vera").count(), 0);
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
  const fetched: string[] = [];
  other.on("request", (request: Request) => {
    if (new URL(request.url()).pathname.endsWith("/frames")) fetched.push(request.url());
  });
  await addFrames(server, session, room, shaken(water(100), 3));
  for (const page of [one, other]) await page.getByTestId("length").getByText("of 23").waitFor();
  await other.waitForTimeout(500);
  assert.deepEqual(fetched, []);
  await server.call("DELETE", `/api/rooms/${room}/frames?indices=0,1`, { token: session.token });
  await until(
    () => frameShown(other),
    (frame) => frame === 5,
  );
});

/** One plays, the other presses a key: whichever the server heard last is what both look at. */
test("browsers that follow each other never part", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 60, 30);
  const [one, other] = await Promise.all([
    enter(openPage, session, room, count),
    enter(openPage, await server.signIn("wim"), room, count),
  ]);
  const roomStep = () =>
    server.call("GET", `/api/rooms/${room}/state`, { token: session.token }).then(({ step }) => step);
  for (let turn = 0; turn < 5; turn++) {
    // From the middle on both presses change the frame: both have arrived when all show the same.
    const before = 30;
    await one.getByRole("textbox", { name: "Frame number" }).fill(`${before}`);
    await until(
      async () => [await frameShown(one), await frameShown(other), await roomStep()],
      (shown) => shown.every((frame) => frame === before),
    );
    await one.getByRole("button", { name: "Play (Space)" }).click();
    await until(
      () => frameShown(other),
      (frame) => frame !== before,
    );
    await other.keyboard.press("ArrowLeft");
    await other.keyboard.press("ArrowLeft");
    await one.getByRole("button", { name: "Play (Space)" }).waitFor();
    await until(
      async () => [await frameShown(one), await frameShown(other), await roomStep()],
      ([a, b, c]) => a === b && b === c,
    );
  }
  // Who looked around alone and follows again is where the others are.
  const follow = other.getByRole("button", { name: "Follow the others" });
  await follow.click();
  await one.keyboard.press("End");
  await until(roomStep, (step) => step === 59);
  assert.notEqual(await frameShown(other), 59);
  await follow.click();
  await until(
    () => frameShown(other),
    (frame) => frame === 59,
  );
});

/** Frames that are added at the worst moments of a page's loading: each time the page has to notice them by itself. */
test("frames that come while a page arrives are not missed", async ({ server, openPage }) => {
  const { session, room } = await waterRoom(server, 2, 30);
  const more = () => addFrames(server, session, room, shaken(water(30), 1));
  const page = await openPage({ session });
  let joins = gate();
  let held = gate();
  let drop = () => {};
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
      page.expectFailures(/^net::ERR_FAILED GET .*\/state$/);
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
});

/** Something that is waited for until it is opened, though not for ever. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((done, fail) => {
    const timer = setTimeout(() => fail(new Error("the gate was never opened")), 30_000);
    open = () => {
      clearTimeout(timer);
      done();
    };
  });
  opened.catch(() => undefined);
  return { open, opened };
}
