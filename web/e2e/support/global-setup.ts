// The server under test: the one that WORKROOM_URL names, or one with throw-away data that is started here.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export default async function startServer(): Promise<undefined | (() => Promise<void>)> {
  process.env.WORKROOM_PYTHON ??= join(ROOT, ".venv/bin/python");
  if (process.env.WORKROOM_URL) return undefined;
  const data = mkdtempSync(join(tmpdir(), "workroom-e2e-"));
  chmodSync(data, 0o711); // as root PostgreSQL runs under another account, which must be able to enter
  const server = spawn(
    process.env.WORKROOM_PYTHON,
    ["-m", "workroom.cli", "serve", "--port", "0", "--data", data],
    { env: { ...process.env, WORKROOM_POOL: "1" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  process.env.WORKROOM_URL = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (chunk) => {
      output += chunk;
      const [url] = output.match(/https?:\/\/\S+/) ?? [];
      if (url) resolve(url);
    });
    server.once("exit", () => reject(new Error(`workroom serve ended:\n${output}`)));
  });
  process.env.WORKROOM_DATA = data;
  process.env.WORKROOM_ADMIN_PASSWORD = readFileSync(join(data, "admin-password"), "utf8").trim();
  return async () => {
    const exited = once(server, "exit");
    server.kill("SIGTERM");
    await exited;
    rmSync(data, { recursive: true, force: true });
  };
}
