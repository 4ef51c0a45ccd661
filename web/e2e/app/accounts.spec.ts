// Signing in, and the administration of accounts.
import { test, unique } from "../support/fixtures";

test("a guest signs in and makes a room", async ({ openPage }) => {
  const page = await openPage();
  page.expectFailures(/^404 GET \/api\/rooms\/nowhere$/);
  await page.goto("/rooms/nowhere");
  await page.getByRole("textbox", { name: "Name" }).fill("astrid");
  await page.getByRole("button", { name: "Continue as guest astrid" }).click();
  await page.getByText("Page not found").waitFor();
  await page.getByRole("link", { name: "All rooms", exact: true }).click();
  await page.getByRole("button", { name: "New room" }).click();
  const room = unique("copper");
  const dialog = page.getByRole("dialog");
  page.expectFailures(/^409 POST \/api\/rooms$/);
  await dialog.getByRole("textbox", { name: "Name" }).fill("public");
  await dialog.getByRole("button", { name: "Create room" }).click();
  await dialog.getByText("reserved").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill(room);
  // Only this browser opens the private room of a guest: the dialog says how to keep it.
  const warning = dialog.getByRole("note").getByText("only this browser has");
  await warning.waitFor({ state: "detached" });
  await dialog.getByText("Private", { exact: true }).click();
  await warning.waitFor();
  await dialog.getByRole("button", { name: "Create room" }).click();
  await page.waitForURL(`**/rooms/${room}`);
  await page.getByText("No jobs yet").waitFor();
  // The room that was changed last is the first of the list.
  await page.goto("/");
  const rows = page.getByRole("table", { name: "Rooms" }).getByRole("row");
  await rows.nth(1).getByText(room).waitFor();
  await page
    .getByRole("columnheader", { name: "Changed" })
    .and(page.locator("[aria-sort=descending]"))
    .waitFor();
});

test("a wrong password is refused", async ({ openPage }) => {
  const page = await openPage();
  page.expectFailures(/^401 POST \/api\/login$/);
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Name" }).fill("admin");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("wrong").waitFor();
});

test("signing out ends the session in all tabs of the browser", async ({ server, openPage }) => {
  const page = await openPage({ session: await server.signIn("astrid") });
  await page.goto("/");
  await page.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
  const other = await page.context().newPage();
  await other.goto("/account");
  await other.getByRole("button", { name: "Signed in as astrid" }).click();
  await other.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/login*");
  // Signing in again holds for the other tab, too.
  await other.getByRole("textbox", { name: "Name" }).fill("beate");
  await other.getByRole("button", { name: "Continue as guest beate" }).click();
  await other.getByRole("button", { name: "Signed in as beate" }).waitFor();
  await page.goto("/");
  await page.getByRole("button", { name: "Signed in as beate" }).waitFor();
});

test("an admin promotes a user", async ({ server, openPage }) => {
  const admin = await server.admin();
  const name = unique("linus");
  await server.call("POST", "/api/users", {
    token: admin.token,
    body: { name, password: "a long password" },
  });
  const page = await openPage({ session: admin });
  await page.goto("/admin");
  await page.getByRole("textbox", { name: "Search users" }).fill(name);
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Make an admin" }).click();
  await row.getByText("admin", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Audit" }).click();
  await page.getByText("account: promote").first().waitFor();
  for (const part of ["Rooms", "Queues", "Settings"]) await page.getByRole("tab", { name: part }).click();
  await page.getByText("lease_seconds").waitFor();
});

test("a room shows its quotas and its space, and its owner takes extensions from members alone", async ({
  server,
  openPage,
}) => {
  const admin = await server.admin();
  const room = unique("shared");
  await server.makeRoom(admin, room);
  await server.worker(room);
  const page = await openPage({ session: admin });
  await page.goto(`/rooms/${room}/settings`);
  const quotas = page.getByRole("table", { name: "Quotas" });
  await quotas.getByText("1 of 2,000", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Extensions from" }).click();
  await page.getByRole("option", { name: "Members" }).click();
  await page.goto(`/rooms/${room}/workers`);
  await page.getByText("built-in extensions").waitFor();
  await page.getByText("gpu-box").waitFor({ state: "detached" });
  await page.goto("/admin/space");
  await page.getByRole("table", { name: "Space of rooms" }).getByText(room).waitFor();
});

test("an admin pauses a queue and resumes it", async ({ server, openPage }) => {
  const admin = await server.admin();
  const room = unique("paused");
  await server.makeRoom(admin, room);
  await server.worker(room);
  const page = await openPage({ session: admin });
  await page.goto("/admin/queues");
  const row = page.getByRole("row").filter({ hasText: room }).first();
  await row.getByRole("button", { name: /^Pause / }).click();
  await row.getByText("paused", { exact: true }).waitFor();
  await row.getByRole("button", { name: /^Resume / }).click();
  await row.getByRole("button", { name: /^Pause / }).waitFor();
});

test("an owner makes links that last as long as chosen, and revokes all of them", async ({
  server,
  openPage,
}) => {
  const admin = await server.admin();
  const room = unique("links");
  await server.makeRoom(admin, room);
  const page = await openPage({ session: admin });
  await page.goto(`/rooms/${room}/settings`);
  for (const validity of ["1 day", "No end"]) {
    await page.getByRole("combobox", { name: "Valid for" }).click();
    await page.getByRole("option", { name: validity }).click();
    await page.getByRole("button", { name: "Link to read" }).click();
    await page.getByRole("dialog").getByText("/join/").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.getByText("valid until").waitFor();
  await page.getByText("without an end").waitFor();
  await page.getByRole("button", { name: "Revoke all" }).click();
  await page.getByText("without an end").waitFor({ state: "detached" });
  await page.goto("/admin/audit");
  for (const act of ["create", "link", "remove_links"])
    await page
      .getByRole("row")
      .filter({ hasText: room })
      .getByText(`room: ${act}`, { exact: true })
      .first()
      .waitFor();
  await page.getByRole("button", { name: "Signed in as admin" }).click();
  const recorded = page.waitForResponse((answer) => answer.url().endsWith("/api/logout"));
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/login*");
  await recorded;
});

test("a user makes an API token, sees it once and revokes it", async ({ server, openPage }) => {
  const admin = await server.admin();
  const name = unique("tokens");
  const password = "a long password";
  await server.call("POST", "/api/users", { token: admin.token, body: { name, password } });
  const page = await openPage();
  await page.goto("/login?next=/account");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: `Signed in as ${name}` }).waitFor();
  await page.goto("/account");
  await page.getByRole("button", { name: "New token" }).click();
  const form = page.getByRole("dialog", { name: "New API token" });
  await form.getByRole("textbox", { name: "Name" }).fill("gpu-box");
  await form.getByRole("checkbox", { name: "write" }).uncheck();
  await form.getByRole("checkbox", { name: "read" }).check();
  if ((await form.getByRole("checkbox", { name: "admin" }).count()) > 0) throw new Error("only for admins");
  await form.getByRole("button", { name: "Make the token" }).click();
  const shown = page.getByRole("dialog", { name: "Token gpu-box" });
  const token = await shown.getByRole("region", { name: "Token" }).textContent();
  await shown.getByRole("button", { name: "Copy" }).waitFor();
  await server.call("GET", "/api/rooms", { token: token ?? "" });
  await page.keyboard.press("Escape");
  await page.reload();
  const row = page.getByRole("table", { name: "API tokens" }).getByRole("row").filter({ hasText: "gpu-box" });
  await row.getByText("read", { exact: true }).waitFor();
  await row.getByText("never").waitFor({ state: "detached" });
  if (!token || (await page.content()).includes(token)) throw new Error("the token is shown again");
  await row.getByRole("button", { name: "Revoke gpu-box" }).click();
  await page.getByRole("button", { name: "Revoke the token" }).click();
  await row.waitFor({ state: "detached" });
});
