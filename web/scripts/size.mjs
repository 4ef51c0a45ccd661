// What a first visit loads, gzipped: the entry and the page with the rooms, with all that they import, their styles and the font.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 350;
const built = fileURLToPath(new URL("../../src/workroom/server/static", import.meta.url));
const manifest = JSON.parse(readFileSync(join(built, ".vite/manifest.json"), "utf8"));
const weigh = (file) => {
  const packed = join(built, `${file}.gz`); // scripts/compress.mjs has left nothing else of a text file
  return existsSync(packed)
    ? readFileSync(packed).length
    : gzipSync(readFileSync(join(built, file)), { level: 9 }).length;
};

function closure(keys) {
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key].imports ?? []) visit(next);
  };
  keys.forEach(visit);
  return seen;
}

// The explorer of the API is a page of its own.
const first = ["index.html", "src/features/rooms/RoomsPage.tsx"];
const files = new Set(["index.html"]);
for (const key of closure(first)) {
  files.add(manifest[key].file);
  for (const css of manifest[key].css ?? []) files.add(css);
  for (const asset of manifest[key].assets ?? []) if (/inter-latin-wght-normal/.test(asset)) files.add(asset);
}
let total = 0;
for (const file of files) {
  const bytes = weigh(file);
  total += bytes;
  console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${file}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(8)} kB  in all (limit ${LIMIT_KB} kB gzip)`);
process.exit(total > LIMIT_KB * 1000 ? 1 : 0);
