// The first hour of a newcomer: the wheel in an environment of its own, then a room, a file, an extension and a pool of their
// own, as README and tutorials show them. The installation needs the network.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { note, test, unique } from "../support/fixtures";
import { Server } from "../support/server.mjs";

const FRAME = '1\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3 pbc="T T T"\nCu 0 0 0\n';

/** Build the wheel, and install it with pandas. Returns the interpreter of the new environment. */
async function install(server: Server, folder: string): Promise<string> {
  const uv = (words: string[], more: Record<string, string> = {}) =>
    promisify(execFile)(join(dirname(server.python), "uv"), words, {
      cwd: server.root,
      env: { ...process.env, ...more },
    });
  const [wheels, python] = [join(folder, "wheels"), join(folder, "env", "bin", "python")];
  await uv(["build", "--wheel", "--no-build-isolation", "--python", server.python, "--out-dir", wheels], {
    WORKROOM_WEB: "built",
  });
  const wheel = readdirSync(wheels).find((name) => name.endsWith(".whl"))!;
  await uv(["venv", "--python", server.python, join(folder, "env")]);
  await uv(["pip", "install", "--python", python, `${join(wheels, wheel)}[server,atoms]`, "pandas"]);
  return python;
}

test("the first hour: install, own file, own extension, its result, own pool, results in pandas", async ({
  server,
  openPage,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "workroom-first-hour-"));
  const blocks = [...readFileSync(`${server.root}/README.md`, "utf8").matchAll(/^```python\n(.*?)^```$/gms)];
  const [extension, , posting] = blocks.map((block) => block[1]!);
  const taken: string[] = [];
  let own: Server | undefined;
  const step = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    const started = Date.now();
    const result = await act();
    taken.push(`${what}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return result;
  };
  try {
    const python = await step("install", () => install(server, folder));
    own = new Server({ url: server.url, adminPassword: "", data: server.data, python, root: folder });
    const user = await server.signIn("newcomer");
    const room = unique("first");
    const page = await openPage({ session: user });
    await step("a room", async () => {
      await server.makeRoom(user, room);
      await page.goto(`/rooms/${room}`);
      await page.getByText("No jobs yet").waitFor();
    });
    await step("own file", async () => {
      const buffer = Buffer.from(FRAME.repeat(3));
      await page
        .getByLabel("Add file: files")
        .setInputFiles({ name: "cu.extxyz", mimeType: "text/plain", buffer });
      await page.getByText("of 3").waitFor();
    });
    await step("own extension", async () => {
      writeFileSync(join(folder, "stretch.py"), extension!);
      await own!.worker(room, join(folder, "stretch.py"), "newcomer", "laptop");
      await page.getByRole("button", { name: /^Stretch/ }).click();
    });
    await step("result seen", async () => {
      await page.getByRole("textbox", { name: "Factor", exact: true }).fill("1.5");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator("[data-testid=job][data-status=completed]").getByText("Stretch").waitFor();
      await page.getByText("of 4").waitFor();
    });
    const said = await step("own pool, results in pandas", async () => {
      const calls = 2_000;
      const program = [
        posting!.replace("100_000", String(calls)).trimEnd(),
        "        import pandas",
        "        pandas.Series(posting.results(), name='square').to_csv('squares.csv', index_label='number')\n",
      ].join("\n");
      writeFileSync(join(folder, "squares.py"), program);
      const child = spawn(python, ["squares.py"], {
        cwd: folder,
        env: { ...process.env, WORKROOM_DATA: server.data, PYTHONPATH: "" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
      });
      const [code] = await once(child, "exit");
      assert.equal(code, 0);
      return output;
    });
    assert.match(said, /2664667000/);
    const table = readFileSync(join(folder, "squares.csv"), "utf8").trim().split(/\r?\n/);
    assert.deepEqual([table.length, table[0], table[2_000]], [2_001, "number,square", "1999,3996001"]);
    note(taken.join("\n"));
  } finally {
    await own?.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
});
