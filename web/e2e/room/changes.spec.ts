// What changes a room: undo, messages, figures and locks.
import assert from "node:assert/strict";
import { expect } from "@playwright/test";
import { test, until } from "../support/fixtures";
import { shaken, water } from "../support/structures.mjs";
import { enter, frameShown, STAGE, waterRoom } from "../support/viewer";

test("a change is undone and redone; a message points at a frame and runs nothing", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 4, 100);
  const page = await enter(openPage, session, room, count);
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
  await page.keyboard.press("Control+z");
  await page.getByTestId("length").getByText("of 0").waitFor();
  await page.keyboard.press("Control+Shift+Z");
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
  // A change of a message that the server refuses keeps its text.
  page.expectFailures(/^503 PATCH .*\/chat\//);
  const unavailable = { status: 503, contentType: "application/problem+json", body: "{}" };
  await page.route("**/chat/*", (route) => route.fulfill(unavailable), { times: 1 });
  await page.getByRole("log").locator("article", { hasText: "look at" }).hover();
  await page.getByRole("button", { name: "Edit the message" }).click();
  const draft = page.getByRole("textbox", { name: "Edit the message" });
  await draft.fill("look at @2");
  const refused = page.waitForResponse((response) => response.status() === 503);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await refused;
  assert.equal(await draft.inputValue(), "look at @2");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("log").getByRole("button", { name: "@2" }).waitFor();
  assert.equal(await draft.count(), 0);
});

test("a job's card undoes what it changed, whatever that was", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 4, 100);
  const cells = () => server.call("GET", `/api/rooms/${room}/changes?limit=5`, session);
  const page = await enter(openPage, session, room, count);
  // One job replaces all frames and adds none, another changes the selection.
  const wrap = await server.submit(session, room, "modifiers/Wrap", { all: true });
  await server.job(session, wrap.jobId, "completed");
  const select = await server.submit(session, room, "selections/All");
  await server.job(session, select.jobId, "completed");
  const undone = async (jobId: string) =>
    (await cells()).items.filter(
      (one: { jobId: string; undoneBy: string | null; undoOf: string | null }) =>
        one.jobId === jobId && one.undoOf === null && one.undoneBy !== null,
    ).length;
  for (const [name, jobId] of [
    ["Wrap", wrap.jobId],
    ["All", select.jobId],
  ]) {
    assert.equal(await undone(jobId), 0);
    await page.getByRole("button", { name: `Undo what ${name} did` }).click();
    await until(
      () => undone(jobId),
      (number) => number === 1,
    );
    await page.getByRole("button", { name: `Undo what ${name} did` }).waitFor({ state: "detached" });
  }
});

test("the link to a new frame follows it when others insert and delete frames before it", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 4, 100);
  const { jobId } = await server.submit(session, room, "modifiers/Center");
  await server.job(session, jobId, "completed");
  const page = await enter(openPage, session, room, count);
  const link = page.getByRole("link", { name: "1 new frame, show it" });
  await link.waitFor();
  const address = async () =>
    new URL((await link.getAttribute("href"))!, page.url()).searchParams.get("frame");
  assert.equal(await address(), "4");
  const write = (query: string, body?: Buffer) =>
    server.call("POST", `/api/rooms/${room}/frames?${query}`, {
      token: session.token,
      body,
      headers: { "Content-Type": "application/vnd.workroom.frames" },
    });
  await write("action=insert&index=0", Buffer.concat([...shaken(water(100), 3)]));
  await until(address, (frame) => frame === "7");
  await write("action=delete&indices=0,5");
  await until(address, (frame) => frame === "5");
  await link.click();
  await until(
    () => frameShown(page),
    (frame) => frame === 5,
  );
  await page.getByText("Changes", { exact: true }).first().click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Center" })
    .getByRole("button", { name: "@5" })
    .waitFor();
  // Once the frame is gone nothing leads to it; an address that does is answered, and forgotten.
  await write("action=delete&indices=5");
  await link.waitFor({ state: "detached" });
  await page.goto(`/rooms/${room}?frame=5`);
  await page.getByText("There is no frame 5: the room has 5 frames, counted from 0.").waitFor();
  await page.waitForURL(`**/rooms/${room}`);
});

test("what a job did is undone from its page", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 4, 100);
  const { jobId } = await server.submit(session, room, "modifiers/Center");
  await server.job(session, jobId, "completed");
  const length = async () => (await server.call("GET", `/api/rooms/${room}/state`, session)).length;
  assert.equal(await length(), 5);
  const page = await enter(openPage, session, room, count);
  await page.getByRole("link", { name: "1 new frame, show it" }).click();
  await until(
    () => frameShown(page),
    (frame) => frame === 4,
  );
  await page.getByText("Changes", { exact: true }).first().click();
  await page.getByRole("button", { name: "details" }).first().click();
  await page.getByRole("link", { name: "Open the job" }).click();
  await page.waitForURL(`**/jobs/${jobId}`);
  // The page of the job leads to its frame, too.
  await server.call("PUT", `/api/rooms/${room}/step`, { token: session.token, body: { step: 0 } });
  await page.getByRole("link", { name: "1 new frame, show it" }).click();
  await page.waitForURL(`**/rooms/${room}`);
  await until(
    () => frameShown(page),
    (frame) => frame === 4,
  );
  await page.goBack();
  await page.getByRole("button", { name: "Undo this job" }).click();
  await page.getByText("What this job did is undone.").waitFor();
  assert.equal(await length(), 4);
});

test("beside Run a form shows its job, the new frames and undo, on a laptop and on a phone", async ({
  server,
  openPage,
}) => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const { session, room, count } = await waterRoom(server, 4, 100);
    const page = await openPage({ session, size });
    await page.goto(`/rooms/${room}?ext=modifiers/Rotate`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const job = page.getByTestId("submitted");
    const frames = job.getByRole("link", { name: "1 new frame, show it" });
    await expect(job.getByText("finished")).toBeInViewport({ ratio: 1 });
    await expect(frames).toBeInViewport({ ratio: 1 });
    await expect(job.getByRole("button", { name: "Undo what Rotate did" })).toBeInViewport({ ratio: 1 });
    await frames.click();
    await page.locator(`${STAGE}[data-atoms="${count}"]`).waitFor();
    await until(
      () => frameShown(page),
      (frame) => frame === 4,
    );
    await page.waitForURL(`**/rooms/${room}?ext=*`);
    if (size.width < 900)
      await page
        .getByRole("navigation", { name: "Panels" })
        .getByRole("button", { name: "Extensions" })
        .click();
    await job.getByRole("button", { name: "Undo what Rotate did" }).click();
    await frames.waitFor({ state: "detached" });
    await page.getByTestId("length").getByText("of 4").waitFor();
  }
});

test("the page of a form leads to the new frame and undoes it; who may only read has no undo", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 4, 100);
  const page = await openPage({ session });
  await page.goto(`/rooms/${room}/forms/modifiers/Center`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const result = page.getByTestId("form-result");
  await result.getByRole("link", { name: "1 new frame, show it" }).click();
  await page.locator(`${STAGE}[data-atoms="${count}"]`).waitFor();
  await until(
    () => frameShown(page),
    (frame) => frame === 4,
  );
  const { items } = await server.call("GET", `/api/rooms/${room}/jobs`, session);
  await server.call("PATCH", `/api/rooms/${room}`, { token: session.token, body: { locked: true } });
  const reader = await openPage({ session: await server.signIn("rita") });
  await reader.goto(`/jobs/${items[0].jobId}`);
  await reader.getByRole("link", { name: "1 new frame, show it" }).waitFor();
  await reader.getByText("What it changed").waitFor();
  await expect(reader.getByRole("button", { name: "Undo this job" })).toHaveCount(0);
  await server.call("PATCH", `/api/rooms/${room}`, { token: session.token, body: { locked: false } });
  await page.goBack();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await result.getByRole("button", { name: "Undo what Center did" }).click();
  await result.getByRole("button", { name: "Undo what Center did" }).waitFor({ state: "detached" });
  assert.equal((await server.call("GET", `/api/rooms/${room}/state`, session)).length, 5);
});

test("a figure's points are frames; a lock is shown while it is held", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 10, 100);
  const y = Array.from({ length: 10 }, (_, frame) => Math.sin(frame));
  await server.call("PUT", `/api/rooms/${room}/figures/energy`, {
    token: session.token,
    body: {
      data: [{ type: "scatter", mode: "markers", y }],
      layout: {},
      links: [{ trace: 0, to: "frames" }],
    },
  });
  const page = await enter(openPage, session, room, count);
  await page.locator(".js-plotly-plot .points path").nth(6).waitFor({ timeout: 60_000 });
  const point = await page.locator(".js-plotly-plot .points path").nth(6).boundingBox();
  assert.ok(point);
  await page.mouse.move(point.x + point.width / 2, point.y + point.height / 2, { steps: 3 });
  await page.mouse.click(point.x + point.width / 2, point.y + point.height / 2);
  await until(
    () => frameShown(page),
    (frame) => frame === 6,
  );
  await page.locator(".wr-plot-marks circle").waitFor();
  const lock = await server.call("POST", `/api/rooms/${room}/locks/trajectory/acquire`, {
    token: (await server.admin()).token,
    body: { message: "uploading", ttlSeconds: 30 },
  });
  await page.getByTestId("lock-badge").getByText("uploading").waitFor();
  await server.call("POST", `/api/rooms/${room}/locks/trajectory/release`, {
    token: (await server.admin()).token,
    body: { token: lock.token },
  });
  await page.getByTestId("lock-badge").waitFor({ state: "detached" });
});
