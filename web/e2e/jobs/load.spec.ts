// Large rooms.
import assert from "node:assert/strict";
import { note, test, unique, until } from "../support/fixtures";

test("a room with 1,000 jobs and 100 extensions stays quick", async ({ server, openPage }) => {
  const admin = await server.admin();
  const room = unique("full");
  await server.makeRoom(admin, room);
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 0, maximum: 10 } } };
  const extensions = Array.from({ length: 100 }, (_, at) => ({
    name: `Tool${at}`,
    category: ["modifiers", "analysis"][at % 2],
    schema,
  }));
  const welcome = await server.call("POST", "/api/workers/register", {
    token: admin.token,
    body: { room, extensions },
  });
  await server.call("POST", `/api/rooms/${room}/extensions/modifiers/Tool0/submit-many`, {
    token: admin.token,
    body: { data: Array.from({ length: 1000 }, (_, at) => ({ n: at % 10 })) },
  });
  // It never connects, but says that it lives.
  const alive = setInterval(
    () =>
      server
        .call("PUT", `/api/workers/${welcome.workerId}/heartbeat`, { token: welcome.workerToken })
        .catch(() => undefined),
    500,
  );
  const empty = unique("empty");
  await server.makeRoom(admin, empty);
  const page = await openPage({ session: admin });
  const opened = async (address: string, awaited: () => Promise<unknown>) => {
    const started = Date.now();
    await page.goto(address);
    await awaited();
    return Date.now() - started;
  };
  const search = () => page.getByRole("textbox", { name: "Search extensions" }).waitFor();
  await opened(`/rooms/${empty}`, search);
  const emptyMs = await opened(`/rooms/${empty}`, search);
  const roomMs = await opened(`/rooms/${room}`, async () => {
    await page.getByRole("button", { name: /^Tool99/ }).waitFor();
    await page.getByTestId("job").first().waitFor();
  });
  const jobsMs = await opened(`/rooms/${room}/jobs`, () => page.getByRole("row").nth(5).waitFor());
  assert.ok((await page.getByRole("row").count()) < 60, "rows are virtual");
  await page.locator("[role=rowgroup]").evaluate((body) => {
    body.scrollTop = body.scrollHeight;
  });
  await page.getByText("200 and more").waitFor();
  // Back from a job leads to the same rows.
  const scrollTop = () => page.locator("[role=rowgroup]").evaluate((body) => body.scrollTop);
  const before = await scrollTop();
  await page.getByRole("row").last().getByRole("link").first().click();
  await page.getByRole("heading", { name: "Tool0" }).waitFor();
  await page.goBack();
  await page.getByRole("row").nth(5).waitFor();
  await until(scrollTop, (top) => top >= before);
  assert.ok(
    roomMs < 3 * emptyMs + 500 && jobsMs < 3 * emptyMs + 500,
    `empty ${emptyMs} ms, room ${roomMs} ms, jobs ${jobsMs} ms`,
  );
  clearInterval(alive);
  await server.call("DELETE", `/api/workers/${welcome.workerId}`, { token: admin.token });
  note(`empty ${emptyMs} ms, full ${roomMs} ms, its jobs ${jobsMs} ms`);
});
