// Finding the way: by keyboard, by dropped files, and without a server.
import assert from "node:assert/strict";
import { note, type Session, test, unique, until } from "../support/fixtures";
import { frameShown, waterRoom } from "../support/viewer";

test("everything can be reached by keyboard", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const room = unique("keys");
  await server.makeRoom(user, room);
  const page = await openPage({ session: user });
  await page.goto("/");
  await page.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).fill(room);
  // The room stands in the list behind the palette too: what counts is that the palette has found it.
  await page.getByRole("dialog").getByText(room).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/rooms/${room}`);
  await page.getByText("No jobs yet").waitFor();
  await page.keyboard.press("j");
  await page.waitForURL(`**/rooms/${room}/jobs`);
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.waitForURL("**/workers");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("This sheet").waitFor();
  // Single keys can be switched off there, and on again with the account.
  const singleKeys = page.getByRole("switch", { name: "Single keys are shortcuts" });
  await singleKeys.click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Signed in as astrid" }).click();
  assert.ok(page.url().endsWith("/workers"));
  await page.getByRole("menuitem", { name: "Account" }).click();
  await page.waitForURL("**/account");
  await singleKeys.click();
  await page.getByRole("heading", { name: "Keyboard" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("This sheet").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Dark colours" }).click();
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
});

test("from the sign-in to a result with the keyboard alone", async ({ server, openPage }) => {
  const room = unique("typed");
  await server.makeRoom(await server.admin(), room);
  await server.worker(room);
  const page = await openPage();
  // What is seen before the app has loaded.
  const scripts = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`/?q=${room}`, { waitUntil: "commit" });
  await page.getByRole("status").getByText("Loading Workroom").waitFor();
  scripts.resolve();
  await page.getByRole("heading", { name: "Workroom" }).waitFor();
  let presses = 0;
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement as HTMLElement | null;
      const label = at?.id ? document.querySelector(`label[for="${at.id}"]`)?.textContent : null;
      return (label ?? at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim();
    });
  /** Press Tab until this has the focus. */
  const tabTo = async (name: string | RegExp, most: number) => {
    const passed: string[] = [];
    for (let turn = 0; turn < most; turn += 1) {
      await page.keyboard.press("Tab");
      presses += 1;
      const at = await focused();
      if (typeof name === "string" ? at === name : name.test(at)) return;
      passed.push(at);
    }
    throw new Error(`${name} was not reached by ${most} Tabs: ${passed.join(" | ")}`);
  };
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT"); // the name
  await page.keyboard.type("admin");
  await tabTo(/^Password/, 1);
  await page.keyboard.type(server.adminPassword);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: room, exact: true }).first().waitFor();
  await tabTo("Skip to the page", 2);
  await page.keyboard.press("Enter");
  await tabTo(room, 15);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: `Room ${room}` }).waitFor();
  await page.getByRole("button", { name: /^PairHistogram/ }).waitFor();
  await tabTo("Skip to Extensions", 4);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "panel-extensions");
  await tabTo("Search extensions", 1);
  await page.keyboard.type("PairHistogram");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "PairHistogram" }).waitFor();
  await tabTo(/^Bins/, 8);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("40");
  await tabTo("Run", 8);
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=job][data-status=completed]").getByText("peak 2.87").waitFor();
  await page.getByTestId("announcement").getByText("PairHistogram").waitFor();
  note(`${presses} Tabs`);
});

test("a session that has expired is said on the sign-in page, which leads back", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("expired");
  const page = await openPage({ session: user });
  await page.goto("/workers");
  await page.getByRole("heading", { name: "Your workers" }).waitFor();
  await server.call("POST", "/api/logout", { token: user.token });
  page.expectFailures(/^401 /);
  await page.getByRole("link", { name: "Jobs" }).first().click();
  await page.getByRole("status").getByText("Your session has expired").waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("expired");
  await page.getByRole("button", { name: /^Continue as guest/ }).click();
  await page.waitForURL("**/jobs");
});

test("an address without a page says so, with navigation and without needless requests", async ({
  server,
  openPage,
}) => {
  const user = await server.signIn("astrid");
  const secret = unique("secret");
  await server.makeRoom(await server.admin(), secret, { visibility: "private" });
  const room = unique("links");
  await server.makeRoom(user, room);
  const page = await openPage({ session: user });
  page.expectFailures(new RegExp(`^404 GET /api/rooms/${secret}$`));
  for (const [address, message] of [
    [`/rooms/${secret}`, `There is no room ${secret}, or it is private`],
    ["/jobs/nonsense", "There is no job nonsense"],
    ["/postings/nonsense", "There is no posting nonsense"],
    [`/rooms/${room}/nonsense`, `There is no page at /rooms/${room}/nonsense.`],
    ["/nonsense/more", "There is no page at /nonsense/more."],
    ["/admin", /You are signed in as astrid(-\d+)?, a guest/],
  ] as const) {
    await page.goto(address);
    await page.getByText(message).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByText("Jobs").waitFor();
    assert.equal(await page.getByRole("tab").count(), 0);
    assert.equal(
      await page.getByRole("navigation", { name: "This room" }).count(),
      address.includes(room) ? 1 : 0,
    );
  }
  // Parameters that are not valid are as good as none.
  await page.goto(`/rooms/${room}/jobs?status=["nonsense"]&name=["a"]`);
  await page.getByText("Jobs appear here when they are submitted.").waitFor();
  await page.goto(`/rooms/${room}?ext=["a"]`);
  await page.getByRole("textbox", { name: "Search extensions" }).waitFor();
  await page.goto("/jobs?status=failed,cancelled");
  await page.getByText("failed", { exact: true }).first().waitFor();
  assert.deepEqual(await page.locator(".mantine-Pill-label").allTextContents(), ["failed", "cancelled"]);
});

test("the page says when the server is out of reach", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const page = await openPage({ session: user });
  let away = false;
  let cut = () => undefined;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (away) return void socket.close();
    const server = socket.connectToServer();
    cut = () => {
      away = true;
      void server.close();
      void socket.close();
    };
  });
  const room = unique("away");
  await server.makeRoom(user, room);
  await page.goto(`/rooms/${room}?ext=analysis/Distance`);
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await page.waitForFunction(() => document.documentElement.dataset.live === "live");
  await page.route("**/extensions", (route) => route.abort());
  page.expectFailures(/^net::ERR_FAILED GET .*\/extensions$/);
  cut();
  await page.getByRole("status").getByText("out of reach").waitFor();
  let failures = 0;
  page.on("requestfailed", (request) => {
    if (request.url().endsWith("/extensions")) failures += 1;
  });
  away = false;
  await page.getByText("out of reach").waitFor({ state: "detached" });
  await page.getByText("The server is back").waitFor();
  // A form stays as it is when it cannot be fetched again, also after the last try.
  await until(
    async () => failures,
    (count) => count >= 3,
  );
  await page.evaluate(() => new Promise((shown) => setTimeout(shown, 100)));
  assert.equal(await page.getByText("Something went wrong").count(), 0);
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
});

const WATER = Array.from({ length: 5 }, (_, step) =>
  [
    "3",
    `Lattice="8 0 0 0 8 0 0 0 8" Properties=species:S:1:pos:R:3 energy=${-14.2 - step * 0.1} pbc="T T T"`,
    `O 4.0 4.0 ${(4 + step * 0.1).toFixed(2)}`,
    `H 4.76 4.59 ${(4 + step * 0.1).toFixed(2)}`,
    `H 3.24 4.59 ${(4 + step * 0.1).toFixed(2)}`,
  ].join("\n"),
).join("\n");

test("a file dropped on the page becomes a room that plays", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const page = await openPage({ session: user });
  await page.goto("/");
  const name = unique("water");
  await page.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
  /** Dropped on the page, as from the desktop. */
  const drop = async (text: string, called: string, onto: string) => {
    const files = await page.evaluateHandle(
      ([text, called]) => {
        const data = new DataTransfer();
        data.items.add(new File([text!], called!));
        return data;
      },
      [text, called],
    );
    await page.locator(onto).dispatchEvent("drop", { dataTransfer: files });
  };
  const roomNames = async () =>
    (await server.call("GET", "/api/rooms?limit=200", { token: user.token })).items.map(
      (one: { name: string }) => one.name,
    );
  // A file that cannot be read leaves no room behind, and says why.
  await drop("no structure", `${name}-broken.extxyz`, "[data-testid=drop-files]");
  await page.getByText(`${name}-broken.extxyz could not be read`).waitFor();
  await page.getByText("Drop to open").waitFor({ state: "detached" });
  await until(roomNames, (names) => !names.some((one: string) => one.startsWith(name)));
  await drop(WATER, `${name}.extxyz`, "[data-testid=drop-files]");
  await page.waitForURL(`**/rooms/${name}`);
  await page.locator("[data-testid=job]").getByText("Open", { exact: true }).waitFor();
  await page.getByText("of 5").waitFor();
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await page.getByRole("button", { name: /pause/i }).click();
  // Dropped onto a room, its frames are added there; the button does the same.
  await drop(WATER, "more.extxyz", ".wr-viewer");
  await page.getByText("of 10").waitFor();
  await page.getByLabel("Add file: files").setInputFiles({
    name: "again.extxyz",
    mimeType: "text/plain",
    buffer: Buffer.from(WATER),
  });
  await page.getByText("of 15").waitFor();
  // The browser tells of a corrected file of the same name only while the input is empty.
  assert.equal(await page.getByLabel("Add file: files").inputValue(), "");
  // A private room of others has the name of the next file: no list shows it, and the server refuses it.
  const taken = unique("taken");
  await server.makeRoom(await server.signIn("grete"), taken, { visibility: "private" });
  page.expectFailures(/409 POST \/api\/rooms/);
  await page.goto("/");
  await drop(WATER, `${taken}.extxyz`, "[data-testid=drop-files]");
  await page.waitForURL(`**/rooms/${taken}-2`);
  await page.getByText("of 5").waitFor();
  // An empty room says why a file did not fill it.
  const empty = unique("empty");
  await server.makeRoom(user, empty);
  await page.goto(`/rooms/${empty}`);
  await page.getByText("No structures yet").waitFor();
  await drop("no structure", "broken.extxyz", ".wr-viewer");
  await page.locator(".wr-viewer").getByText("broken.extxyz could not be read").waitFor();
});

test("the link of the demo signs in, plays, and starts the tour beside the chat", async ({
  server,
  openPage,
}) => {
  const { session, room } = await waterRoom(server, 40, 30);
  const { code } = await server.call("POST", "/api/login/codes", { token: session.token });
  const page = await openPage();
  await page.goto(`/rooms/${room}#code=${code}&play&panel=chat&tour`);
  const tour = page.getByRole("dialog", { name: "Welcome to your room" });
  await tour.waitFor();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  assert.equal(new URL(page.url()).hash, "");
  const first = await frameShown(page);
  await until(
    () => frameShown(page),
    (frame) => frame !== first,
  );
  // The tour is in front of the moving trajectory.
  const button = (await tour.getByRole("button", { name: "Show me around" }).boundingBox())!;
  const atTop = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x!, y!)?.closest("[role=dialog]") !== null,
    [button.x + button.width / 2, button.y + button.height / 2],
  );
  assert.ok(atTop);
  // The buttons that it names are there.
  await tour.getByRole("button", { name: "Show me around" }).click();
  for (const title of ["The viewer", "The timeline"]) {
    await page.getByRole("dialog", { name: title }).getByRole("button", { name: "Next" }).click();
  }
  await page.getByRole("dialog", { name: "Extensions" }).getByText("and press Run").waitFor();
  await page.getByRole("button", { name: /^Relax/ }).click();
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  // Nothing of that has stopped the trajectory.
  const later = await frameShown(page);
  await until(
    () => frameShown(page),
    (frame) => frame !== later,
  );
});

test("text is copied from a page over plain http, and a refusal is said", async ({ server, openPage }) => {
  const session = await server.signIn("copyist");
  const room = unique("copy");
  await server.makeRoom(session, room);
  const page = await openPage({ session });
  // As on a page from another host over plain http.
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto(`/rooms/${room}/forms/modifiers/Center`);
  const copyLink = async () => {
    await page.getByRole("button", { name: "More about Center" }).click();
    await page.getByRole("menuitem", { name: "Copy link to this form" }).click();
  };
  await copyLink();
  await page.getByText("The link is copied.").waitFor();
  await page.getByRole("button", { name: "More about Center" }).click();
  await page.getByRole("menuitem", { name: "Copy as Python" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/");
  const search = page.getByRole("textbox", { name: "Search rooms" });
  await search.press("Control+v");
  await until(
    () => search.inputValue(),
    (text) => text.includes("modifiers/Center"),
  );
  await page.goto(`/rooms/${room}/forms/modifiers/Center`);
  await page.evaluate(() => Object.defineProperty(document, "execCommand", { value: () => false }));
  await copyLink();
  await page.getByText("Nothing was copied").waitFor();
  await page.getByText("press Ctrl C").waitFor();
});

test("the title of a hidden tab counts own jobs that ended and messages, without any permission", async ({
  server,
  openPage,
}) => {
  const ada = await server.signIn("ada-title");
  const bob = await server.signIn("bob-title");
  const room = unique("title");
  await server.makeRoom(ada, room);
  const page = await openPage({ session: ada });
  await page.goto(`/rooms/${room}`);
  await page.waitForFunction(() => document.documentElement.dataset.live === "live");
  await page.getByText("No jobs yet").first().waitFor();
  const show = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const say = (session: Session, text: string) =>
    server.call("POST", `/api/rooms/${room}/chat`, { token: session.token, body: { text } });
  const titled = (title: string) => page.waitForFunction((wanted) => document.title === wanted, title);
  await titled(`${room} · Workroom`);
  await show("hidden");
  await say(bob, "are you there?");
  await titled(`(1) ${room} · Workroom`);
  await say(ada, "from another tab");
  const { jobId } = await server.submit(ada, room, "selections/All");
  await server.job(ada, jobId, "completed", "failed");
  await titled(`(2) ${room} · Workroom`);
  await show("visible");
  await titled(`${room} · Workroom`);
  await say(bob, "now you see it");
  await page.locator(".dv-tab", { hasText: "Chat" }).getByText("2").waitFor();
  await titled(`${room} · Workroom`);
});

test("a long list of rooms says how many it shows, and shows more", async ({ server, openPage }) => {
  const user = await server.signIn("astrid");
  const prefix = unique("shelf");
  const owners = [await server.signIn(unique("shelf")), await server.signIn(unique("shelf"))];
  for (let made = 0; made < 103; made += 1) await server.makeRoom(owners[made % 2]!, `${prefix}-${made}`);
  const page = await openPage({ session: user });
  await page.goto(`/?q=${prefix}&sort=name`);
  await page.getByText("100 of 103 rooms").waitFor();
  await page.getByRole("button", { name: "Show more rooms" }).click();
  await page.getByText("103 rooms", { exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: new RegExp(`^${prefix}-`) }).count(), 103);
  assert.equal(await page.getByRole("button", { name: "Show more rooms" }).count(), 0);
});
