// Rooms with water in them, and what their viewer shows.
import { type OpenPage, type PageOptions, type Session, unique, type WatchedPage } from "./fixtures";
import type { Server } from "./server.mjs";
import { addFrames, shaken, water } from "./structures.mjs";

export const STAGE = ".wr-stage canvas";

export async function waterRoom(server: Server, frames = 30, atoms = 1_000) {
  const session = await server.signIn("vera");
  const room = unique("water");
  await server.makeRoom(session, room);
  const box = water(atoms);
  await addFrames(server, session, room, shaken(box, frames));
  return { session, room, count: box.numbers.length };
}

/** Open the room, and wait until the viewer shows its atoms. */
export async function enter(
  openPage: OpenPage,
  session: Session,
  room: string,
  count: number,
  more: PageOptions = {},
) {
  const page = await openPage({ session, ...more });
  await page.goto(`/rooms/${room}`);
  await page.locator(`${STAGE}[data-atoms="${count}"]`).waitFor({ timeout: 60_000 });
  return page;
}

/** How many pixels of the stage are not its background, and how many colours they have. */
export async function drawn(page: WatchedPage) {
  const picture = (await page.locator(STAGE).screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d")!;
    pen.drawImage(image, 0, 0);
    const { data: rgba } = pen.getImageData(0, 0, canvas.width, canvas.height);
    // What there is most of.
    const counts = new Map<number, number>();
    for (let at = 0; at < rgba.length; at += 4) {
      const colour = (rgba[at]! << 16) | (rgba[at + 1]! << 8) | rgba[at + 2]!;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one)[0]!;
    const background = [most >> 16, (most >> 8) & 255, most & 255] as const;
    const found = { some: 0, red: 0, all: rgba.length / 4 };
    for (let at = 0; at < rgba.length; at += 4) {
      const [r, g, b] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
      if (Math.abs(r - background[0]) + Math.abs(g - background[1]) + Math.abs(b - background[2]) > 24)
        found.some++;
      if (r > 120 && g < 90 && b < 90) found.red++;
    }
    return found;
  }, picture);
}

/** A place on the stage where an atom is. */
export async function findAtom(page: WatchedPage): Promise<[number, number]> {
  const { x, y, width, height } = await page
    .locator(STAGE)
    .boundingBox()
    .then((box) => box!);
  const card = page.locator(".wr-viewer-hover");
  for (let turn = 0; turn < 120; turn++) {
    const at: [number, number] = [
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

/** The number of the frame that the viewer shows. */
export const frameShown = async (page: WatchedPage) =>
  Number(await page.getByRole("slider", { name: "Frame" }).getAttribute("aria-valuenow"));

/** A room with these frames. */
export async function roomOf(server: Server, name: string, frames: Iterable<Buffer>, user = "vera") {
  const session = await server.signIn(user);
  const room = unique(name);
  await server.makeRoom(session, room);
  await addFrames(server, session, room, frames);
  return { session, room };
}

/** What an image has at some places: red, green and blue of each. Places are in pixels of the image. */
export function pixelsOf(page: WatchedPage, png: Buffer, places: readonly (readonly [number, number])[]) {
  return page.evaluate(
    async ({ data, places: at }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const pen = canvas.getContext("2d")!;
      pen.drawImage(image, 0, 0);
      return at.map(([x, y]) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
    },
    { data: png.toString("base64"), places },
  );
}

/** The colours of the stage along the vertical line through its middle, from top to bottom. */
export async function middleColumn(page: WatchedPage): Promise<number[][]> {
  const { width, height } = (await page.locator(STAGE).boundingBox())!;
  const places = Array.from({ length: Math.floor(height) }, (_, y) => [width / 2, y] as const);
  return pixelsOf(page, await page.locator(STAGE).screenshot(), places);
}

/** Choose the atoms for all people of the room, as from Python. */
export const choose = (server: Server, { token }: Session, room: string, indices: number[]) =>
  server.call("PUT", `/api/rooms/${room}/selections/particles`, { token, body: { indices } });

/** How many red balls, such as oxygen atoms, are on the stage: groups of red pixels that touch. */
export async function redBalls(page: WatchedPage): Promise<number> {
  const { width, height } = (await page.locator(STAGE).boundingBox())!;
  const [columns, rows] = [Math.floor(width), Math.floor(height)];
  const places = Array.from(
    { length: columns * rows },
    (_, at) => [at % columns, Math.floor(at / columns)] as const,
  );
  const colours = await pixelsOf(page, await page.locator(STAGE).screenshot(), places);
  const red = new Set(colours.flatMap(([r, g, b], at) => (r! > 120 && g! < 90 && b! < 90 ? [at] : [])));
  let balls = 0;
  for (const first of red) {
    let size = 0;
    const open = [first];
    red.delete(first);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      size += 1;
      for (const next of [at - 1, at + 1, at - columns, at + columns]) if (red.delete(next)) open.push(next);
    }
    if (size > 20) balls += 1;
  }
  return balls;
}
