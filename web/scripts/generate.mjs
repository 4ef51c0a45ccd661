// Types of the REST interface, from the server's own OpenAPI document; no server has to run.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapi, { astToString } from "openapi-typescript";

const root = new URL("../../", import.meta.url);
const local = fileURLToPath(new URL(".venv/bin/python", root));
const python = process.env.WORKROOM_PYTHON ?? (existsSync(local) ? local : "python3");
const given = process.argv[2];
const text = given
  ? readFileSync(given, "utf8")
  : execFileSync(python, ["-m", "workroom.server.print_openapi"], {
      cwd: fileURLToPath(root),
      env: { ...process.env, PYTHONPATH: fileURLToPath(new URL("src", root)) },
      encoding: "utf8",
      maxBuffer: 64_000_000,
    });
const types = astToString(await openapi(JSON.parse(text), { defaultNonNullable: true }));
mkdirSync(new URL("../src/generated/", import.meta.url), { recursive: true });
writeFileSync(
  new URL("../src/generated/api.ts", import.meta.url),
  `// Made by scripts/generate.mjs from the server's OpenAPI document.\n${types}`,
);
