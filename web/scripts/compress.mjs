// A compressed copy beside every text file of the built app: the server only picks.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const built = fileURLToPath(new URL("../../src/workroom/server/static", import.meta.url));
for (const name of readdirSync(built, { recursive: true })) {
  const file = join(built, name);
  if (!/\.(js|css|html|svg|json)$/.test(name) || statSync(file).size < 1_000) continue;
  const body = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: body.length > 500_000 ? 6 : 9 } }),
  );
}
