// Text files of the built app are kept compressed alone: the server unpacks one for the rare client without gzip.
// index.html stays as it is: it is small, and its time is that of the build.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const built = fileURLToPath(new URL("../../src/workroom/server/static", import.meta.url));
for (const name of readdirSync(built, { recursive: true })) {
  const file = join(built, name);
  if (!/\.(js|css|html|svg|json)$/.test(name) || basename(name) === "index.html") continue;
  if (name.startsWith(".vite") || statSync(file).size < 1_000) continue;
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
}
