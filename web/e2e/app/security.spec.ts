// Texts of users and workers are shown as text.
import assert from "node:assert/strict";
import { settled, test, unique } from "../support/fixtures";

declare global {
  interface Window {
    __ran?: unknown;
  }
}

const HOSTILE: [string, string, string, string, ...string[]] = [
  "<img src=x onerror=\"window.__ran='img'\">",
  "<script>window.__ran='script'</script>",
  "<svg onload=\"window.__ran='svg'\">",
  "javascript:window.__ran='link'",
  '"><iframe srcdoc="<script>parent.__ran=\'frame\'</script>">',
  "{{constructor.constructor('window.__ran=1')()}}",
  "[x](javascript:window.__ran='markdown')",
];

test("hostile texts are shown and never run", async ({ server, openPage }) => {
  const admin = await server.admin();
  const room = unique("hostile");
  const text = HOSTILE.join("\n");
  await server.makeRoom(admin, room, { description: text });
  const schema = {
    type: "object",
    title: HOSTILE[0],
    description: text,
    properties: {
      [HOSTILE[0]]: { type: "string", title: HOSTILE[1], description: HOSTILE[2], default: HOSTILE[3] },
      choice: { enum: HOSTILE, title: HOSTILE[4], default: HOSTILE[0], unit: HOSTILE[0] },
      colour: { type: "string", format: "color", default: "red;background:url(https://elsewhere.invalid/x)" },
    },
  };
  const welcome = await server.call("POST", "/api/workers/register", {
    token: admin.token,
    body: {
      room,
      extensions: [{ name: "Odd", category: "analysis", schema }],
      info: { name: HOSTILE[0], host: HOSTILE[1], python: HOSTILE[2] },
    },
  });
  const { jobId } = await server.submit(admin, room, "analysis/Odd", { choice: HOSTILE[0] });
  await server.call("POST", `/api/rooms/${room}/chat`, { token: admin.token, body: { text } });
  const page = await openPage({ session: admin });
  for (const address of [
    "/",
    `/rooms/${room}?ext=analysis/Odd`,
    `/rooms/${room}/jobs`,
    `/jobs/${jobId}`,
    "/workers",
    `/rooms/${room}/workers`,
    `/rooms/${room}/settings`,
    "/admin/audit",
  ]) {
    await page.goto(address);
    await settled(page);
    assert.equal(await page.evaluate(() => window.__ran), undefined, address);
  }
  await page.goto(`/rooms/${room}?ext=analysis/Odd`);
  await page.getByRole("heading", { name: "Odd" }).waitFor();
  assert.equal(await page.locator("iframe, [onerror], [onload]").count(), 0);
  assert.equal(await page.evaluate(() => window.__ran), undefined);
  await server.call("DELETE", `/api/workers/${welcome.workerId}`, { token: admin.token });
});
