// The app of a server that is reached below a path (`workroom serve --root-path`).
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, unique } from "../support/fixtures";
import { Server } from "../support/server.mjs";

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => listener.once("listening", ready));
  const address = listener.address();
  await new Promise((closed) => listener.close(closed));
  return typeof address === "object" && address ? address.port : 0;
}

test("the app works below a path, also where it is opened deep inside", async ({ server, openPage }) => {
  const data = mkdtempSync(join(tmpdir(), "workroom-subpath-"));
  chmodSync(data, 0o711);
  const port = await freePort();
  const below = new Server({ ...server, url: `http://127.0.0.1:${port}/wr`, data });
  const serve = ["serve", "--port", String(port), "--data", data, "--pool", "0", "--root-path", "/wr"];
  try {
    await below.run(serve, "listens at", { WORKROOM_ADMIN_PASSWORD: server.adminPassword, WORKROOM_URL: "" });
    const page = await openPage({ url: `${below.url}/` });
    const paths = new Set<string>();
    page.on("request", (request) => {
      if (request.url().startsWith("http")) paths.add(new URL(request.url()).pathname);
    });
    page.on("websocket", (socket) => paths.add(new URL(socket.url()).pathname));
    const socket = page.waitForEvent("websocket", (one) => one.url().includes("/wr/socket.io"));
    page.expectFailures(/^404 GET \/wr\/api\/rooms\/nowhere$/);
    await page.goto("rooms/nowhere");
    await page.getByRole("textbox", { name: "Name" }).fill("astrid");
    await page.getByRole("button", { name: "Continue as guest astrid" }).click();
    await page.waitForURL("**/wr/rooms/nowhere");
    await page.getByText("Page not found").waitFor();
    await page.getByRole("link", { name: "All rooms", exact: true }).click();
    await page.waitForURL((address) => /^\/wr\/?$/.test(address.pathname));
    const room = unique("below");
    const admin = await below.admin();
    await below.makeRoom(admin, room);
    await page.goto(`rooms/${room}`);
    await page.getByText("No jobs yet").waitFor();
    await socket;
    await page.goto("");
    await page.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
    assert.match(new URL(page.url()).pathname, /^\/wr(\/|$)/);
    assert.deepEqual(
      [...paths].filter((path) => !path.startsWith("/wr")),
      [],
    );
    await page.context().close();
  } finally {
    await below.stopAll();
    rmSync(data, { recursive: true, force: true });
  }
});
