// What a first visit transfers of the app: all bodies, compressed, that Chromium has received until the page is shown, with lazy parts.
// Their heads and the data of rooms are noted beside it.
import assert from "node:assert/strict";
import { note, settled, test, type WatchedPage } from "../support/fixtures";

const MOST_KB = 350;

async function transferred(page: WatchedPage, address: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const names = new Map<string, string>();
  const sizes = new Map<string, number>();
  let heads = 0;
  session.on("Network.responseReceived", ({ requestId, response }) => {
    names.set(requestId, response.url);
    sizes.set(requestId, -response.encodedDataLength);
    heads += response.encodedDataLength / 1000;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, (sizes.get(requestId) ?? 0) + encodedDataLength),
  );
  await session.send("Network.enable");
  await page.goto(address, { waitUntil: "networkidle" });
  await settled(page);
  const kilobytes = (part: [string, number][]) => part.reduce((sum, [, size]) => sum + size, 0) / 1000;
  const isData = ([id]: [string, number]) => /\/(api|socket\.io)\//.test(names.get(id) ?? "");
  const answers = [...sizes].sort(([, one], [, other]) => other - one);
  const files = answers.filter((one) => !isData(one));
  const all = kilobytes(files);
  const largest = files.slice(0, 8).map(([id, size]) => `${(size / 1000).toFixed(1)} kB ${names.get(id)}`);
  note(
    `${page.url()}: ${all.toFixed(1)} kB in ${files.length} files, ${kilobytes(answers.filter(isData)).toFixed(1)} kB of data, ${heads.toFixed(1)} kB of heads\n${largest.join("\n")}`,
  );
  const scripts = files.filter(([id]) => names.get(id)?.endsWith(".js"));
  assert.ok(scripts.length > 1, "the script of the page was loaded, too");
  assert.ok(all <= MOST_KB, `${address} transfers ${all.toFixed(1)} kB of at most ${MOST_KB} kB`);
}

test("the first visit of the sign-in page and of the list of rooms transfers at most 350 kB", async ({
  server,
  openPage,
}) => {
  await transferred(await openPage(), "/");
  await transferred(await openPage({ session: await server.signIn("astrid") }), "/");
});
