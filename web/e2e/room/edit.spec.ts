// Editing in the viewer: atoms are moved, points and curves are drawn, and each edit is one change that can be undone.
import assert from "node:assert/strict";
import { type ArrayValue, type Frame, framesIn } from "../../src/lib/frames";
import { type Session, test, until } from "../support/fixtures";
import type { Server } from "../support/server.mjs";
import { seeded, shaken, water } from "../support/structures.mjs";
import { enter, findAtom, STAGE, waterRoom } from "../support/viewer";

async function frameOf(server: Server, { token }: Session, room: string): Promise<Frame> {
  const answer = await fetch(`${server.url}/api/rooms/${room}/frames?indices=0`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return framesIn(await answer.arrayBuffer())[0]!;
}

const positionsOf = (frame: Frame) => [
  ...((frame.get("arrays.positions") as ArrayValue).data as Float64Array),
];
const same = (one: number[], other: number[]) => one.every((part, at) => Math.abs(part - other[at]!) < 1e-4);
const movedAtoms = (before: number[], after: number[]) => [
  ...new Set(before.flatMap((one, at) => (one === after[at] ? [] : [Math.floor(at / 3)]))),
];

test("atoms are moved and curves are drawn, and each edit is undone", async ({ server, openPage }) => {
  const { session, room, count } = await waterRoom(server, 1, 60);
  const page = await enter(openPage, session, room, count);
  const frame = () => frameOf(server, session, room);
  const before = await frame();
  const at = await findAtom(page);
  await page.mouse.click(...at);
  await page.getByText("1 selected").waitFor();
  const [atom] = (
    await until(
      () => server.call("GET", `/api/rooms/${room}/selections`, { token: session.token }),
      ({ selections }) => selections.particles?.length === 1,
    )
  ).selections.particles;

  // Escape during a drag puts the atom back; a drag to the end writes one change.
  await page.keyboard.press("t");
  const card = page.getByRole("region", { name: "Move atoms" });
  await card.getByText("1 atom: drag a handle").waitFor();
  const grabbed = () => page.locator(STAGE).evaluate((canvas) => (canvas as HTMLElement).style.cursor);
  /** Take the handle that is nearest to a place, and drag it. */
  const grab = async (from: [number, number], says = /^Δ .* Å/) => {
    let turn = 0;
    const handle = await until(
      async (): Promise<[number, number]> => {
        const [angle, away] = [turn * 2.4, 3 * Math.sqrt(turn++)];
        const place: [number, number] = [from[0] + away * Math.cos(angle), from[1] + away * Math.sin(angle)];
        await page.mouse.move(...place);
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        return (await grabbed()) === "grab" ? place : [Number.NaN, Number.NaN];
      },
      ([x]) => !Number.isNaN(x),
    );
    await page.mouse.down();
    await page.mouse.move(handle[0] + 40, handle[1] + 25, { steps: 4 });
    await page.getByTestId("motion").filter({ hasText: says }).waitFor();
  };
  await grab(at);
  await page.keyboard.press("Escape");
  await card.getByText("1 atom: drag a handle").waitFor();
  await page.mouse.up();
  await grab(at);
  await page.mouse.up();
  const dragged = await until(frame, (now) => movedAtoms(positionsOf(before), positionsOf(now)).length > 0);
  assert.deepEqual(movedAtoms(positionsOf(before), positionsOf(dragged)), [atom]);
  // The energy and the forces were those of the atoms before; all else is as it was.
  const others = ([key]: [string, unknown]) => key !== "arrays.positions" && !key.startsWith("calc.");
  assert.deepEqual(
    [...dragged].filter(([key]) => key !== "arrays.positions"),
    [...before].filter(others),
  );
  await page.keyboard.press("Control+z");
  const restored = await until(
    frame,
    (now) => movedAtoms(positionsOf(before), positionsOf(now)).length === 0,
  );
  assert.deepEqual([...restored], [...before]);

  // By numbers, all atoms at once: also without a mouse.
  await page.locator(STAGE).click({ position: { x: 5, y: 300 } });
  await page.keyboard.press("a");
  await card.getByText(`${count} atoms: drag a handle`).waitFor();
  await card.getByRole("textbox", { name: "Shift along x (Å)" }).fill("0.5");
  await page.keyboard.press("Enter");
  const shifted = positionsOf(
    await until(frame, (now) => movedAtoms(positionsOf(before), positionsOf(now)).length === count),
  );
  assert.deepEqual(
    shifted,
    positionsOf(before).map((one, part) => one + (part % 3 === 0 ? 0.5 : 0)),
  );

  // All atoms are turned about their middle with a handle, which is one change.
  await page.locator(STAGE).click({ position: { x: 5, y: 300 } });
  await page.keyboard.press("a");
  await page.keyboard.press("r");
  const turning = page.getByRole("region", { name: /^(Turn|Move) atoms/ });
  await turning.getByText(`${count} atoms: drag a handle`).waitFor();
  const stage = (await page.locator(STAGE).boundingBox())!;
  await grab([stage.x + stage.width / 2, stage.y + stage.height / 2], /°/);
  await page.mouse.up();
  const turned = positionsOf(
    await until(
      frame,
      (now) => !same(positionsOf(now), shifted) && movedAtoms(shifted, positionsOf(now)).length > 1,
    ),
  );
  const apart = (places: number[]) =>
    Math.hypot(...[0, 1, 2].map((part) => places[part]! - places[30 + part]!));
  assert.ok(Math.abs(apart(turned) - apart(shifted)) < 1e-3, "a rotation keeps distances");
  await page.keyboard.press("Control+z");
  await until(frame, (now) => same(positionsOf(now), shifted));

  // What another client writes during a drag is kept, and the drag ends with the reason.
  await page.keyboard.press("Escape");
  await page.locator(STAGE).click({ position: { x: 5, y: 300 } });
  const spot = await findAtom(page);
  await page.mouse.click(...spot);
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("r");
  await card.getByText("Select two or more atoms to turn them.").waitFor();
  await page.keyboard.press("t");
  await grab(spot);
  const [other] = shaken(water(60), 1, seeded(77));
  await server.call("POST", `/api/rooms/${room}/frames?action=replace&index=0`, {
    token: session.token,
    body: other,
    headers: { "Content-Type": "application/vnd.workroom.frames" },
  });
  await page.getByText("Another frame is shown now. Nothing was written.").waitFor();
  await page.mouse.up();
  assert.deepEqual(positionsOf(await frame()), positionsOf(framesIn(new Uint8Array(other!).buffer)[0]!));
  await page.keyboard.press("Escape");

  // A curve: points on atoms and beside them; the last one is taken back before the curve is finished.
  const curves = async () =>
    (await server.call("GET", `/api/rooms/${room}/geometries`, { token: session.token })).geometries;
  await page.keyboard.press("d");
  const drawing = page.getByRole("region", { name: "Draw points and curves" });
  const onAtom = await findAtom(page);
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  await page.mouse.click(...onAtom);
  for (const [across, down] of [
    [0.6, 0.9],
    [0.8, 0.9],
    [0.8, 0.7],
  ] as const)
    await page.mouse.click(x + width * across, y + height * down);
  await drawing.getByRole("button", { name: /^4: / }).waitFor();
  await page.keyboard.press("Control+z");
  await drawing.getByRole("button", { name: /^4: / }).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  const { curve } = await until(curves, (now) => "curve" in now);
  assert.equal(curve.data.points.length, 3);
  const atoms = positionsOf(await frame());
  assert.ok(atoms.some((_, at) => at % 3 === 0 && same(atoms.slice(at, at + 3), curve.data.points[0])));
  await page.keyboard.press("Control+z");
  await until(curves, (now) => !("curve" in now));
  await page.keyboard.press("Control+Shift+Z");
  await until(curves, (now) => "curve" in now);

  // Each edit of a curve is a change of its own, also when they follow each other at once.
  await page.locator(STAGE).focus();
  await page.keyboard.press("d");
  await drawing.getByRole("combobox", { name: "Geometry" }).click();
  await page.getByRole("option", { name: "curve", exact: true }).click();
  const points = async () => (await curves()).curve?.data.points;
  await drawing.getByRole("button", { name: /^2: / }).click();
  await drawing.getByRole("textbox", { name: "z of the point (Å)" }).fill("4.5");
  await page.keyboard.press("Enter");
  await until(points, (now) => now[1][2] === 4.5);
  await drawing.getByRole("button", { name: "Remove point 3" }).click();
  await until(points, (now) => now.length === 2);
  await page.locator(STAGE).focus();
  await page.keyboard.press("Control+z");
  await until(points, (now) => now.length === 3 && now[1][2] === 4.5);
  await page.keyboard.press("Control+z");
  await until(points, (now) => now[1][2] === curve.data.points[1][2]);
  await drawing.getByRole("button", { name: "Delete curve" }).click();
  await until(curves, (now) => !("curve" in now));

  // In a locked room others are told why they cannot edit.
  await server.call("PATCH", `/api/rooms/${room}`, { token: session.token, body: { locked: true } });
  const guest = await enter(openPage, await server.signIn("otto"), room, count);
  for (const name of ["Move the selected atoms (T)", "Draw points and curves (D)"])
    assert.equal(await guest.getByRole("button", { name }).getAttribute("aria-disabled"), "true");
  await guest.getByRole("button", { name: "Move the selected atoms (T)" }).hover();
  await guest.getByText(/The room is locked/).waitFor();
});
