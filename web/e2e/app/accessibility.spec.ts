// Every page passes the serious rules of axe, light and dark, and on a phone.
import assert from "node:assert/strict";
import { seriousFaults } from "../support/axe";
import {
  note,
  type OpenPage,
  type Session,
  settled,
  test,
  unique,
  type WatchedPage,
} from "../support/fixtures";
import type { Server } from "../support/server.mjs";
import { enter, waterRoom } from "../support/viewer";

/** A room with a failed job, and a posting with profiles, so that no page is empty; the addresses of all pages. */
async function fillAndListPages(server: Server, admin: Session): Promise<string[]> {
  const room = unique("axe");
  await server.makeRoom(admin, room, { description: "For all users" });
  await server.worker(room);
  const { jobId } = await server.submit(admin, room, "analysis/PairHistogram", { cutoff: 18 });
  await server.job(admin, jobId, "failed");
  const { postingId } = await server.call("POST", "/api/postings", {
    token: admin.token,
    body: { function: "measure", label: "samples", jobs: [{ args: [1] }, { args: [2] }] },
  });
  const pool = await server.pool("1.0");
  await server.posting(admin, postingId, "completed", "failed");
  await server.stop(pool);
  return [
    "/",
    `/rooms/${room}?ext=modifiers/Anneal`,
    `/rooms/${room}/jobs`,
    `/rooms/${room}/jobs?show=errors`,
    `/rooms/${room}/jobs?show=history`,
    `/rooms/${room}/workers`,
    `/rooms/${room}/forms/modifiers/Anneal`,
    `/rooms/${room}/settings`,
    `/rooms/${room}/nothing`,
    "/join/no-such-link",
    "/jobs",
    `/jobs/${jobId}`,
    "/workers",
    "/postings",
    ...["grid", "plot", "results", "failures"].map((part) => `/postings/${postingId}?part=${part}`),
    "/profiles",
    "/profiles/measure",
    "/account",
    "/admin/users",
    "/admin/rooms",
    "/admin/space",
    "/admin/queues",
    "/admin/audit",
    "/admin/settings",
  ];
}

async function expectNoSeriousFaults(
  openPage: OpenPage,
  session: Session,
  scheme: "light" | "dark",
  addresses: string[],
  size = { width: 1440, height: 900 },
): Promise<void> {
  const faults: Record<string, string[]> = {};
  const page = await openPage({ session, scheme, size });
  page.expectFailures(
    ...(addresses.some((one) => one.startsWith("/join/")) ? [/^404 POST \/api\/join$/] : []),
  );
  for (const address of addresses) {
    await page.goto(address);
    await settled(page);
    const found = await seriousFaults(page, scheme);
    if (found.length) faults[address] = found;
  }
  const signedOut = await openPage({ scheme, size });
  await signedOut.goto("/login");
  await signedOut.getByRole("textbox", { name: "Name" }).waitFor();
  const found = await seriousFaults(signedOut, scheme);
  if (found.length) faults["/login"] = found;
  assert.deepEqual(faults, {});
  note(`${addresses.length + 1} pages, ${scheme}, ${size.width} pixels wide`);
}

test("axe finds nothing serious, light and dark", async ({ server, openPage }) => {
  const admin = await server.admin();
  const pages = await fillAndListPages(server, admin);
  await expectNoSeriousFaults(openPage, admin, "light", pages);
  await expectNoSeriousFaults(openPage, admin, "dark", pages);
});

test("axe finds nothing serious on a narrow screen, light and dark", async ({ server, openPage }) => {
  const admin = await server.admin();
  const pages = await fillAndListPages(server, admin);
  // Tables scroll within their box.
  for (const scheme of ["light", "dark"] as const)
    await expectNoSeriousFaults(openPage, admin, scheme, pages, { width: 390, height: 844 });
});

/** What opens over the page of a room. */
async function faultsOfDialogs(page: WatchedPage, scheme: "light" | "dark") {
  const faults: Record<string, string[]> = {};
  const dialog = page.getByRole("dialog");
  const examine = async (part: string) => {
    await dialog.first().waitFor();
    const found = await seriousFaults(page, scheme);
    if (found.length) faults[`${part}, ${scheme}`] = found;
    await page.keyboard.press("Escape");
    await dialog.first().waitFor({ state: "detached" });
  };
  const userMenu = page.getByRole("button", { name: /^Signed in as/ });
  for (const item of ["Keyboard", "Tour of the room"]) {
    await userMenu.click();
    await page.getByRole("menuitem", { name: item }).click();
    await examine(item);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).waitFor();
  await examine("Go to");
  return faults;
}

const PANELS = "Extensions Jobs Chat Changes Bookmarks Selections Geometries Figures Map Atoms Frame".split(
  " ",
);

/** Each panel of a room with frames in front, and each menu of the viewer open. */
async function faultsOfRoom(page: WatchedPage, scheme: "light" | "dark"): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  const examine = async (part: string) => {
    const found = await seriousFaults(page, scheme);
    if (found.length) faults[`${part}, ${scheme}`] = found;
  };
  const tools = page.getByRole("toolbar", { name: "Viewer tools" }).locator("button[aria-haspopup]");
  for (const tool of await tools.all()) {
    await tool.click();
    await page.locator(".mantine-Popover-dropdown").waitFor();
    await examine((await tool.getAttribute("aria-label"))!);
    await page.keyboard.press("Escape");
    await page.locator(".mantine-Popover-dropdown").waitFor({ state: "detached" });
  }
  // The form stays open in its panel.
  for (const panel of PANELS) {
    const tab = page.locator(".dv-tab", { hasText: panel });
    if (!(await tab.count())) {
      await page.getByRole("button", { name: "Panels" }).click();
      await page.getByRole("menuitem", { name: panel }).click();
      await page.keyboard.press("Escape");
    }
    await tab.first().click();
    await settled(page);
    await examine(panel);
  }
  return faults;
}

test("axe finds nothing serious in a room with frames, its panels and the viewer's menus", async ({
  server,
  openPage,
}) => {
  const { session, room, count } = await waterRoom(server, 4, 99);
  await server.worker(room);
  for (const [extension, data, status] of [
    ["analysis/PairHistogram", { bins: 20 }, "completed"],
    ["analysis/PairHistogram", { cutoff: 20 }, "failed"],
  ] as const) {
    const { jobId } = await server.submit(session, room, extension, data);
    await server.job(session, jobId, status);
  }
  await server.call("POST", `/api/rooms/${room}/chat`, { token: session.token, body: { text: "See @1" } });
  const faults = {};
  for (const scheme of ["light", "dark"] as const) {
    const page = await enter(openPage, session, room, count, { scheme });
    await page.goto(`/rooms/${room}?ext=modifiers/Anneal`);
    await page.locator(`[data-atoms="${count}"]`).waitFor();
    Object.assign(faults, await faultsOfDialogs(page, scheme), await faultsOfRoom(page, scheme));
  }
  assert.deepEqual(faults, {});
});
