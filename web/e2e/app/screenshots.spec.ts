// A screenshot of every page, light and dark, for the documentation; only with WORKROOM_PICTURES=FOLDER. Those of a laptop and of
// a phone go into the folders 1024 and 390.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { note, type Session, settled, test } from "../support/fixtures";
import type { Server } from "../support/server.mjs";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** CO that comes down onto a copper surface, as extxyz. */
function adsorption() {
  const a = 2.55;
  const layers: string[] = [];
  for (let k = 0; k < 3; k += 1)
    for (let i = 0; i < 5; i += 1)
      for (let j = 0; j < 5; j += 1)
        layers.push(
          `Cu ${(i * a + (k % 2) * (a / 2)).toFixed(3)} ${(j * a + (k % 2) * (a / 2)).toFixed(3)} ${(2 + k * 1.8).toFixed(3)}`,
        );
  return Array.from({ length: 24 }, (_, step) => {
    const height = 7.4 + 2.2 * Math.exp(-step / 7);
    const at = `${(2 * a).toFixed(3)} ${(2 * a).toFixed(3)}`;
    return [
      String(layers.length + 2),
      `Lattice="${5 * a} 0 0 0 ${5 * a} 0 0 0 16" Properties=species:S:1:pos:R:3 energy=${(-212.4 - 0.9 * (1 - Math.exp(-step / 7))).toFixed(4)} pbc="T T F"`,
      ...layers,
      `C ${at} ${height.toFixed(3)}`,
      `O ${at} ${(height + 1.15).toFixed(3)}`,
    ].join("\n");
  }).join("\n");
}

/** Two postings of a profiled function, by pools that run different versions of it; the id of the last. */
async function postProfiled(server: Server, admin: Session): Promise<string> {
  let last = "";
  for (const version of ["1.0", "2.0"]) {
    const { postingId } = await server.call("POST", "/api/postings", {
      token: admin.token,
      body: {
        function: "measure",
        label: `samples of version ${version}`,
        jobs: Array.from({ length: 80 }, (_, at) => ({ args: [at] })),
      },
    });
    const pool = await server.pool(version);
    await server.posting(admin, postingId, "completed", "failed");
    await server.stop(pool);
    last = postingId;
  }
  return last;
}

test("every page has its screenshot, light and dark", async ({ server, openPage }) => {
  const folder = process.env.WORKROOM_PICTURES ?? "";
  test.skip(!folder, "WORKROOM_PICTURES is not set");
  mkdirSync(folder, { recursive: true });
  const admin = await server.admin();
  const room = "copper-surface";
  for (const [name, description] of [
    [room, "CO on Cu(111), four layers"],
    ["water-box", "64 waters, PBE-D3, 300 K"],
    ["perovskite-md", "CsPbI3 above the phase transition"],
    ["li-battery", "Delithiation path of LiFePO4"],
  ] as const)
    await server
      .makeRoom(admin, name, { description, visibility: name === "li-battery" ? "private" : "public" })
      .catch(() => undefined);
  const grace = await server.signIn("grete");
  const opened = await server.call("POST", `/api/rooms/${room}/files?name=adsorption.extxyz`, {
    token: grace.token,
    body: adsorption(),
    headers: { "Content-Type": "application/octet-stream" },
  });
  await server.job(grace, opened.jobId, "completed", "failed");
  await server.worker(room);
  for (const [extension, data] of [
    ["modifiers/Settle", { steps: 25, pace: 0.01 }],
    ["analysis/PairHistogram", { bins: 80 }],
    ["modifiers/Anneal", { temperature: 450 }],
  ] as const) {
    const { jobId } = await server.submit(grace, room, extension, data);
    await server.job(grace, jobId, "completed", "failed");
  }
  const broken = await server.submit(grace, room, "analysis/PairHistogram", { cutoff: 18 });
  await server.job(grace, broken.jobId, "failed");
  const sweep = await server.call("POST", `/api/rooms/${room}/extensions/modifiers/Settle/sweep`, {
    token: grace.token,
    body: {
      data: { pace: 0.01, steps: 20 },
      over: { method: ["BFGS", "FIRE", "LBFGS"], fmax: [0.01, 0.02, 0.05, 0.1, 0.2] },
      label: "fmax × method",
    },
  });
  await server.posting(grace, sweep.postingId, "completed", "failed");
  const profiled = await postProfiled(server, admin);
  await server.submit(grace, room, "modifiers/Settle", { steps: 500, pace: 0.5, fmax: 0.01 });
  for (let more = 0; more < 3; more += 1) await server.submit(admin, room, "modifiers/Settle", { steps: 40 });

  const shots = [
    ["login", "/login"],
    ["not-found", "/nothing/here"],
    ["rooms", "/"],
    ["room", `/rooms/${room}`],
    ["form", `/rooms/${room}?ext=modifiers/Anneal`],
    ["room-jobs", `/rooms/${room}/jobs`],
    ["form-page", `/rooms/${room}/forms/modifiers/Anneal`],
    ["room-workers", `/rooms/${room}/workers`],
    ["room-settings", `/rooms/${room}/settings`],
    ["jobs", "/jobs"],
    ["account", "/account"],
    ["job", `/jobs/${broken.jobId}`],
    ["workers", "/workers"],
    ["postings", "/postings"],
    ["sweep", `/postings/${sweep.postingId}`],
    ["posting", `/postings/${profiled}`],
    ["profiles", "/profiles"],
    ["profile", "/profiles/measure"],
    ["profile-icicle", "/profiles/measure?tab=icicle"],
    ["profile-diff", "/profiles/measure?tab=diff"],
    ["admin-users", "/admin/users"],
    ["admin-rooms", "/admin/rooms"],
    ["admin-space", "/admin/space"],
    ["admin-queues", "/admin/queues"],
    ["admin-audit", "/admin/audit"],
    ["admin-settings", "/admin/settings"],
  ] as const;
  const drawn = /^(room|form)$/;
  for (const scheme of ["light", "dark"] as const) {
    for (const size of SIZES) {
      const guest = await openPage({ scheme, size });
      const page = await openPage({ session: admin, scheme, size });
      for (const [name, address] of shots) {
        const shown = name === "login" ? guest : page;
        await shown.goto(address);
        await settled(shown);
        await shown.waitForTimeout(name === "admin-queues" ? 4_000 : drawn.test(name) ? 2_500 : 500);
        const file = `${name}-${scheme}.png`;
        await shown.screenshot({
          path: size === SIZES[0] ? join(folder, file) : join(folder, String(size.width), file),
        });
      }
      await guest.context().close();
      await page.context().close();
    }
  }
  note(`${shots.length * 2 * SIZES.length} pictures`);
});
