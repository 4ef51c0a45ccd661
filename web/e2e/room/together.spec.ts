// People in one room: messages with mentions and formulas, notices, selections; and the list of rooms with what is in them.
import assert from "node:assert/strict";
import { test, unique, until, type WatchedPage } from "../support/fixtures";
import { addFrames, shaken, water } from "../support/structures.mjs";

test("people mention each other, write formulas, have selections of their own, and see rooms with pictures", async ({
  server,
  openPage,
}) => {
  const ada = await server.signIn("ada+lab");
  const bob = await server.signIn("bob-together");
  const room = unique("together");
  await server.makeRoom(ada, room);
  await addFrames(server, ada, room, shaken(water(60), 2));
  await server.worker(room);
  const hers = await openPage({ session: ada });
  // Notices of the browser are recorded in the place of shown.
  await hers.addInitScript(() => {
    const shown: string[] = [];
    class Recorded {
      static permission = "granted";
      onclick = null;
      constructor(title: string) {
        shown.push(title);
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded, shownNotices: shown });
  });
  await hers.goto(`/rooms/${room}`);
  await hers.getByTestId("extensions").waitFor();
  const his = await openPage({ session: bob });
  await his.goto(`/rooms/${room}`);
  await his.getByRole("tab", { name: /Chat/ }).click();
  const message = his.getByRole("textbox", { name: "Message" });
  await message.pressSequentially("look, @ada");
  await his.getByRole("option", { name: "ada+lab" }).waitFor();
  await message.press("Enter");
  await until(
    () => message.inputValue(),
    (text) => text === 'look, @"ada+lab" ',
  );
  await message.pressSequentially("here");
  await message.press("Enter");
  await his.locator("article strong", { hasText: '@"ada+lab"' }).waitFor();
  await hers.getByText(`bob-together mentioned you in ${room}`).waitFor();
  await writesFormulas(his);
  await selectsAlone(hers, his);
  // She ends the tour of the room with the key.
  await hers.getByRole("button", { name: "Signed in as ada+lab" }).click();
  await hers.getByRole("menuitem", { name: "Tour of the room" }).click();
  const tour = hers.getByRole("dialog", { name: "Welcome to your room" });
  await tour.getByRole("button", { name: "Show me around" }).click();
  for (const title of ["The viewer", "The timeline", "Extensions", "Jobs"])
    await hers.getByRole("dialog", { name: title }).getByRole("button", { name: "Next" }).click();
  await hers.getByRole("dialog", { name: "Your own files and code" }).waitFor();
  await hers
    .getByRole("dialog", { name: "Your own files and code" })
    .getByRole("button", { name: "Next" })
    .click();
  await hers.getByRole("dialog", { name: "Your cluster" }).waitFor();
  await hers.keyboard.press("Escape");
  assert.equal(await hers.getByRole("dialog").count(), 0);
  // In a hidden tab the notice of a finished job leaves the page.
  await hers.evaluate(() => Object.defineProperty(document, "visibilityState", { value: "hidden" }));
  const { jobId } = await server.submit(ada, room, "modifiers/Prepare", {});
  await server.job(ada, jobId, "completed");
  const notices = await until(
    () => hers.evaluate(() => (window as unknown as { shownNotices: string[] }).shownNotices),
    (shown) => shown.length > 0,
  );
  assert.deepEqual(notices, ["Prepare finished"]);
  // The list of rooms: what is in them, the order in the address, the archive and deleting.
  await his.goto(`/?q=${room}`);
  const table = his.getByRole("table", { name: "Rooms" });
  const row = table.getByRole("row", { name: new RegExp(room) });
  await row.waitFor();
  // The picture that one of the two pages has made.
  const picture = row.getByTestId("thumbnail");
  await until(
    async () => {
      if (await picture.count()) return true;
      await his.reload();
      await row.waitFor();
      return false;
    },
    (shown) => shown,
  );
  assert.ok((await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)) >= 96);
  assert.equal(await table.getByRole("button", { name: `More about ${room}` }).count(), 0);
  const list = await openPage({ session: ada });
  await list.goto(`/?q=${room}`);
  await list.getByRole("button", { name: "Frames" }).click();
  await list.waitForURL(/sort=frames/);
  await list.getByRole("button", { name: `More about ${room}` }).click();
  await list.getByRole("menuitem", { name: "Archive" }).click();
  await list.getByText(`No room is called “${room}”`).waitFor();
  await list.getByRole("switch", { name: "Archived" }).click({ force: true });
  await list.waitForURL(/archived=true/);
  await list.getByRole("button", { name: `More about ${room}` }).click();
  await list.getByRole("menuitem", { name: "Delete" }).click();
  await list.getByRole("textbox", { name: `Type ${room} to confirm` }).fill(room);
  await list.getByRole("button", { name: "Delete permanently" }).click();
  await list.getByText(`No room is called “${room}”`).waitFor();
  // Signing out in one tab ends the others of the browser, with their connections.
  const tab = await list.context().newPage();
  await tab.goto("/account");
  await list.goto(`/?q=${room}`);
  await list.waitForFunction(() => document.documentElement.dataset.live === "live");
  await tab.getByRole("button", { name: "Signed in as ada+lab" }).click();
  await tab.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await list.waitForURL("**/login*");
  assert.equal(await list.evaluate(() => document.documentElement.dataset.live), "off");
});

/** KaTeX comes with the first formula. A formula with an error is shown as its source, and none can link. */
async function writesFormulas(page: WatchedPage): Promise<void> {
  const loaded = () =>
    page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => /KaTeX/.test(name)).length,
    );
  assert.equal(await loaded(), 0);
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill(
    String.raw`at $5 or $10: $E_1 = \sqrt{m c^2}$, $$\frac{1}{2}$$ not $\frac{$ nor $\href{javascript:alert(1)}{x}$`,
  );
  await message.press("Enter");
  const article = page.locator("article", { hasText: "at $5 or $10" });
  await until(
    () => article.locator(".katex-html").count(),
    (count) => count >= 2,
  );
  await until(loaded, (count) => count > 0);
  assert.equal(await article.locator(".katex-display").count(), 1);
  await article.locator("code", { hasText: String.raw`$\frac{$` }).waitFor();
  assert.equal(await article.locator("a").count(), 0);
}

/** The selection is shared while one follows the room; otherwise it is one's own until one shares it. */
async function selectsAlone(hers: WatchedPage, his: WatchedPage): Promise<void> {
  for (const page of [hers, his]) {
    await page.getByRole("button", { name: "Panels" }).click();
    await page.getByRole("menuitem", { name: "Selections" }).click();
    await page.keyboard.press("Escape");
  }
  const selects = async (page: WatchedPage, atoms: string) => {
    const field = page.getByRole("combobox", { name: /^Selected now/ });
    await field.fill(atoms);
    await field.press("Enter");
  };
  await selects(hers, "0-2");
  await his.getByRole("combobox", { name: "Selected now: 3" }).waitFor();
  await his.getByText("Selected by ada+lab").waitFor();
  // What she selected, he clears on his page alone.
  await his.locator(".wr-stage canvas").click({ position: { x: 4, y: 200 } });
  await his.keyboard.press("Escape");
  await his.getByTestId("own-selection").getByText("cleared on this page alone").waitFor();
  await hers.getByRole("combobox", { name: "Selected now: 3" }).waitFor();
  await his.getByTestId("own-selection").getByRole("button", { name: "Use the room's" }).click();
  await his.getByRole("combobox", { name: "Selected now: 3" }).waitFor();
  await his.getByRole("button", { name: "Follow the others" }).click();
  await selects(his, "5, 6");
  await his.getByTestId("own-selection").getByText("The room has 3 atoms, selected by ada+lab").waitFor();
  await selects(hers, "0");
  await his.getByTestId("own-selection").getByText("The room has 1 atom,").waitFor();
  await his.getByRole("combobox", { name: "Selected now: 2" }).waitFor();
  await his.getByRole("textbox", { name: "Save as" }).fill("mine");
  await his.getByRole("button", { name: "Save", exact: true }).click();
  await hers.getByRole("button", { name: "Select mine" }).getByText("by bob-together").waitFor();
  await hers.getByRole("textbox", { name: "Save as" }).fill("mine");
  await hers.getByRole("button", { name: "Replace", exact: true }).waitFor();
  await hers.getByText("This replaces mine of bob-together").waitFor();
  await hers.getByRole("combobox", { name: "Selected now: 1" }).waitFor();
  await his.getByTestId("own-selection").getByRole("button", { name: "Share mine" }).click();
  await hers.getByRole("combobox", { name: "Selected now: 2" }).waitFor();
  await hers.getByText("Selected by bob-together").waitFor();
  await his.getByRole("button", { name: "Follow the others" }).click();
}
