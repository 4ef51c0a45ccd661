// Two browsers at two servers on one database (WORKROOM_URL and WORKROOM_OTHER_URL).
import assert from "node:assert/strict";
import { test, until } from "../support/fixtures";
import { Server } from "../support/server.mjs";
import { addFrames, shaken, water } from "../support/structures.mjs";
import { enter, frameShown, waterRoom } from "../support/viewer";

test("a browser at one server sees what happens at the other", async ({ server, openPage }) => {
  const url = process.env.WORKROOM_OTHER_URL;
  assert(url, "WORKROOM_OTHER_URL names the second server");
  const other = new Server({ ...server, url });
  const { session, room, count } = await waterRoom(server, 5, 100);
  const wim = await other.signIn("wim");
  const near = await enter(openPage, session, room, count);
  const far = await enter(openPage, wim, room, count, { url });
  try {
    // Presence: each sees both.
    for (const page of [near, far]) await page.getByRole("group", { name: "2 in the room" }).waitFor();
    // The step that one goes to is shown to the other, both ways.
    await near.getByRole("textbox", { name: "Frame number" }).fill("3");
    await until(
      () => frameShown(far),
      (frame) => frame === 3,
    );
    await far.getByRole("textbox", { name: "Frame number" }).fill("1");
    await until(
      () => frameShown(near),
      (frame) => frame === 1,
    );
    // Frames that a client adds at the other server.
    await addFrames(other, wim, room, shaken(water(100), 2));
    for (const page of [near, far]) await page.getByTestId("length").getByText("of 7").waitFor();
    // A job of the first server for a worker at the second: both see it end with its result.
    await other.worker(room);
    await Promise.all([
      near.goto(`/rooms/${room}?ext=analysis/PairHistogram`),
      far.goto(`/rooms/${room}/jobs`),
    ]);
    await near.getByRole("button", { name: "Run", exact: true }).click();
    await far.locator("[role=row][data-status=completed]").waitFor();
    await far.locator("[role=row]").getByText("peak 2.87").waitFor();
    await near.locator("[data-testid=job]").getByText("peak 2.87").waitFor();
    // Chat, typed at one and read at the other.
    await far.goto(`/rooms/${room}`);
    for (const page of [near, far]) await page.getByText("Chat", { exact: true }).first().click();
    await near.getByRole("textbox", { name: "Message" }).fill("written at the first server");
    await near.keyboard.press("Enter");
    await far.getByRole("log").getByText("written at the first server").waitFor();
    // Who leaves is gone at the other server.
    await far.context().close();
    await near.getByRole("group", { name: "1 in the room" }).waitFor();
  } finally {
    await other.stopAll();
  }
});
