// What is drawn of structures of many kinds: bonds, polyhedra, fixed atoms, missing positions, slices, the wrapped view, geometries.
import assert from "node:assert/strict";
import { framesIn } from "../../src/lib/frames";
import { test, until, type WatchedPage } from "../support/fixtures";
import { smallFrame } from "../support/structures.mjs";
import { choose, drawn, enter, middleColumn, roomOf, STAGE } from "../support/viewer";

const status = (page: WatchedPage) => page.locator(".wr-viewer-chip");
const numbersIn = (text: string | null, what: string) =>
  Number.parseInt(text?.match(new RegExp(`([\\d,]+) ${what}`))?.[1] ?? "0", 10);

/** How many bars cross the vertical line through the middle of the stage. */
async function bars(page: WatchedPage): Promise<number> {
  const column = await middleColumn(page);
  const [background] = column;
  const isDrawn = column.map((pixel) => pixel.some((part, at) => Math.abs(part - background![at]!) > 40));
  return isDrawn.filter((one, at) => one && !isDrawn[at - 1]).length;
}

test("bonds, polyhedra, fixed atoms and missing positions are shown as they are", async ({
  server,
  openPage,
}) => {
  const connectivity = (order: number) => ({
    "info.connectivity": ["<i8", [1, 3], BigInt64Array.from([0n, 1n, BigInt(order)])],
  });
  const far = [-1.6, 0, 0, 1.6, 0, 0];
  const octahedron = [0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 2, 0, 0, -2];
  const fixed = { constraints: [{ name: "FixAtoms", kwargs: { indices: [0] } }] };
  const { session, room } = await roomOf(server, "kinds", [
    smallFrame([29, 29], [-1.25, 0, 0, 1.25, 0, 0]),
    smallFrame([6, 6], far),
    smallFrame([6, 6], far, connectivity(1)),
    smallFrame([6, 6], far, connectivity(2)),
    smallFrame([6, 6], far, connectivity(3)),
    smallFrame([22, 8, 8, 8, 8, 8, 8], octahedron),
    smallFrame([79], [0, 0, 0]),
    smallFrame([79], [0, 0, 0], fixed),
    smallFrame([8, 1, 1], [0, 0, 0, Number.NaN, 0, 0, 1, Number.POSITIVE_INFINITY, 0]),
  ]);
  const page = await enter(openPage, session, room, 2);
  const goTo = async (frame: number, atoms: number) => {
    await page.getByRole("textbox", { name: "Frame number" }).fill(String(frame));
    await page.locator(`${STAGE}[data-atoms="${atoms}"]`).waitFor();
  };
  const crossing = (expected: number) =>
    until(
      () => bars(page),
      (found) => found === expected,
    );

  // Metals have no bonds, unless one wants them.
  await page.keyboard.press("z");
  await page.mouse.move(2, 2);
  await crossing(0);
  const style = page.getByRole("button", { name: "Atoms and bonds", exact: true });
  await style.click();
  await page.getByRole("switch", { name: "Bonds between metals" }).click();
  await page.keyboard.press("Escape");
  await crossing(1);
  // These atoms are too far apart for a bond; the frame says which bonds there are, and their orders.
  for (const [frame, order] of [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
  ] as const) {
    await goTo(frame, 2);
    await crossing(order);
  }
  // Polyhedra and molecules need bonds also where none are drawn.
  await style.click();
  await page.getByRole("combobox", { name: "Atoms as" }).click();
  await page.getByRole("option", { name: "Balls", exact: true }).click();
  await page.keyboard.press("Escape");
  await goTo(5, 7);
  const { width, height } = (await page.locator(STAGE).boundingBox())!;
  await page.locator(STAGE).dblclick({ position: { x: width / 2, y: height / 2 } });
  await status(page).getByText("7 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.move(2, 2);
  const plain = await drawn(page);
  await style.click();
  await page.getByRole("switch", { name: "Coordination polyhedra" }).click();
  await page.keyboard.press("Escape");
  await until(
    () => drawn(page),
    ({ some }) => some > 1.1 * plain.some,
  );

  // A fixed atom has a cross, whose middle is darker.
  await goTo(6, 1);
  const brightness = async () => {
    const column = await middleColumn(page);
    return column[Math.floor(column.length / 2)]!.reduce((sum, part) => sum + part, 0);
  };
  const free = await until(brightness, (sum) => sum > 0 && sum < 700);
  await goTo(7, 1);
  await until(brightness, (sum) => sum < 0.8 * free);

  await goTo(8, 3);
  await status(page).getByText("3 atoms · 2 not drawn").waitFor();
  // An end of the axes is a button: from there one looks along it.
  const ends = () =>
    page
      .locator(".wr-viewer-axes line")
      .evaluateAll((lines) => lines.map((one) => one.getAttribute("x2")).join());
  const before = await ends();
  await page.getByRole("button", { name: "Look from −x" }).click();
  await until(ends, (now) => now !== before);
});

test("slices lie along any planes, atoms are wrapped in the view, and hidden atoms are left out of a box", async ({
  server,
  openPage,
}) => {
  // Four atoms behind each other, and one outside of the cell.
  const positions = [5, 5, 1, 5, 5, 3.5, 5, 5, 6, 5, 5, 8.5, 12, 5, 1];
  const { session, room } = await roomOf(server, "planes", [
    smallFrame([29, 29, 29, 29, 29], positions, { edge: 10 }),
  ]);
  const page = await enter(openPage, session, room, 5);
  const hidden = async () => numbersIn(await status(page).textContent(), "hidden");

  await page.getByRole("button", { name: "What is shown", exact: true }).click();
  const slice = page.getByRole("radiogroup", { name: "Slice along" });
  await slice.getByText("hkl", { exact: true }).click();
  const planes = page.getByRole("textbox", { name: "Planes h k l" });
  await planes.fill("0 0 1");
  await until(hidden, (atoms) => atoms === 2);
  await planes.fill("100");
  await until(hidden, (atoms) => atoms === 1);
  await planes.fill("1 x");
  await page.getByText("Three whole numbers, for example 1 1 0").waitFor();
  await slice.getByText("view", { exact: true }).click();
  await until(hidden, (atoms) => atoms > 0);
  await slice.getByText("off", { exact: true }).click();
  await until(hidden, (atoms) => atoms === 0);

  // The last atom is at x = 2 when it is wrapped; neither the frame nor its list of atoms changes.
  await choose(server, session, room, [0, 4]);
  const measured = page.getByRole("list", { name: "Measurements" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Atoms and bonds", exact: true }).click();
  await page.getByRole("switch", { name: "Measure to the nearest image" }).click();
  await page.keyboard.press("Escape");
  await measured.getByText("7.000 Å").waitFor();
  await page.getByRole("button", { name: "What is shown", exact: true }).click();
  await page.getByRole("switch", { name: "Wrapped into the cell" }).click();
  await measured.getByText("3.000 Å").waitFor();
  await page.keyboard.press("Escape");
  const answer = await fetch(`${server.url}/api/rooms/${room}/frames?indices=0`, {
    headers: { Authorization: `Bearer ${session.token}` },
  });
  const [frame] = framesIn(await answer.arrayBuffer());
  assert.deepEqual([...(frame!.get("arrays.positions") as { data: Float64Array }).data], positions);

  // Along z the four atoms are behind each other: the box takes all, or only the nearest of them.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Perspective (O)" }).click();
  await page.keyboard.press("z");
  const box = async () => {
    const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
    await page.keyboard.down("Shift");
    await page.mouse.move(x + 0.2 * width, y + 0.05 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.8 * width, y + 0.95 * height, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
  };
  await box();
  await status(page).getByText("5 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Select and hide", exact: true }).click();
  await page.getByRole("switch", { name: "Visible atoms only" }).click();
  await page.keyboard.press("Escape");
  await box();
  await status(page).getByText("2 selected: 3, 4").waitFor();
});

test("geometries are added by form and drawn as points, each in one change", async ({ server, openPage }) => {
  const grid = Float64Array.from({ length: 216 }, (_, at) => Math.cos(at));
  const { session, room } = await roomOf(server, "shapes", [
    smallFrame([8, 1, 1], [0, 0, 0, 1, 0, 0, 0, 6, 0], { edge: 8, "info.density": ["<f8", [6, 6, 6], grid] }),
  ]);
  const page = await enter(openPage, session, room, 3);
  const geometries = async () =>
    (await server.call("GET", `/api/rooms/${room}/geometries`, { token: session.token })).geometries;
  await page.getByRole("button", { name: "Panels", exact: true }).click();
  await page.getByRole("menuitem", { name: "Geometries" }).click();
  await page.keyboard.press("Escape");
  const add = async (kind: string) => {
    await page.getByRole("button", { name: "Add a geometry" }).click();
    await page.getByRole("menuitem", { name: kind }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  };
  const save = page.getByRole("button", { name: "Add", exact: true });
  const plain = await drawn(page);
  for (const [kind, key, type] of [
    ["Sphere", "sphere", "spheres"],
    ["Plane", "plane", "plane"],
    ["Arrows", "arrows", "arrows"],
    ["Isosurface", "isosurface", "isosurface"],
  ] as const) {
    await add(kind);
    await save.click();
    const added = await until(geometries, (now) => key in now);
    assert.equal(added[key].type, type);
  }
  await add("Box");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("plane");
  await page.getByText("The room has a geometry of this name.").waitFor();
  await name.fill("crate");
  await save.click();
  const { crate, isosurface } = await until(geometries, (now) => "crate" in now);
  assert.deepEqual(crate.data.position, [[4, 4, 4]]);
  assert.deepEqual(crate.data.size, [8, 8, 8]);
  assert.equal(isosurface.data.grid, "info.density");
  await until(
    () => drawn(page),
    ({ some }) => some > plain.some,
  );
  // Each is a change of its own.
  await page.locator(STAGE).click({ position: { x: 5, y: 200 } });
  await page.keyboard.press("Control+z");
  await until(geometries, (now) => !("crate" in now) && "isosurface" in now);

  await page.keyboard.press("d");
  const drawing = page.getByRole("region", { name: "Draw points and curves" });
  await drawing.getByText("Points", { exact: true }).click();
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  for (const across of [0.5, 0.6]) await page.mouse.click(x + width * across, y + height * 0.9);
  await drawing.getByRole("button", { name: /^2: / }).waitFor();
  await page.keyboard.press("Enter");
  const { points } = await until(geometries, (now) => "points" in now);
  assert.equal(points.type, "spheres");
  assert.equal(points.data.position.length, 2);
});
