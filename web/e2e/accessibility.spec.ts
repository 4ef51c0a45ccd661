// Every page passes the serious rules of axe, light and dark.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { note, type OpenPage, type Session, settled, test, unique, type WatchedPage } from "./fixtures";
import type { Server } from "./server.mjs";

// `make faults` looks at every page, each run at those that differ most.
const EVERY_PAGE = process.env.WORKROOM_TEST_QUIET !== undefined;
const LIKE_OTHERS = [
  "/workers",
  "/postings",
  "/profiles",
  "/jobs",
  "/admin/rooms",
  "/admin/space",
  "/admin/queues",
  "/admin/audit",
];
const DARK = EVERY_PAGE
  ? ["ext=", "/jobs/", "/workers", "/postings/", "/profiles/", "/admin/users"]
  : ["ext=", "/jobs/", "/postings/"];

async function seriousFaults(page: WatchedPage, scheme: "light" | "dark") {
  // The canvas of the viewer and Plotly's own drawing are not text.
  const axe = new AxeBuilder({ page }).exclude("canvas").exclude(".js-plotly-plot");
  // The schemes differ in colours alone.
  const { violations } = await (scheme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 160))
          .join(" | ")}`,
    );
}

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
    `/rooms/${room}/workers`,
    `/rooms/${room}/forms/modifiers/Anneal`,
    `/rooms/${room}/settings`,
    `/rooms/${room}/nothing`,
    "/join/no-such-link",
    "/jobs",
    `/jobs/${jobId}`,
    "/workers",
    "/postings",
    `/postings/${postingId}`,
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
): Promise<void> {
  const faults: Record<string, string[]> = {};
  const page = await openPage({ session, scheme });
  page.expectFailures(
    ...(addresses.some((one) => one.startsWith("/join/")) ? [/^404 POST \/api\/join$/] : []),
  );
  for (const address of addresses) {
    await page.goto(address);
    await settled(page);
    const found = await seriousFaults(page, scheme);
    if (found.length) faults[address] = found;
  }
  const signedOut = await openPage({ scheme });
  await signedOut.goto("/login");
  await signedOut.getByRole("textbox", { name: "Name" }).waitFor();
  const found = await seriousFaults(signedOut, scheme);
  if (found.length) faults["/login"] = found;
  assert.deepEqual(faults, {});
  note(`${addresses.length + 1} pages`);
}

test("axe finds nothing serious, light and dark", async ({ server, openPage }) => {
  const admin = await server.admin();
  const pages = await fillAndListPages(server, admin);
  const light = EVERY_PAGE ? pages : pages.filter((address) => !LIKE_OTHERS.includes(address));
  await expectNoSeriousFaults(openPage, admin, "light", light);
  // All pages are made of the same parts: in the dark scheme a handful of pages shows every colour.
  const dark = pages.filter((address) => DARK.some((part) => address.includes(part)));
  await expectNoSeriousFaults(openPage, admin, "dark", dark);
});
