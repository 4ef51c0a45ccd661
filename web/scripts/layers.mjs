// The tree is the architecture: lib < components < live < features < app, and features never import each other.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src", import.meta.url));
const order = ["generated", "lib", "components", "live", "features", "app"];
const faults = [];

for (const file of readdirSync(src, { recursive: true })) {
  if (!/\.tsx?$/.test(file)) continue;
  const [layer, feature] = file.split("/");
  if (!order.includes(layer)) continue;
  const text = readFileSync(join(src, file), "utf8");
  for (const [, target] of text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)) {
    if (!target.startsWith("@/") && !target.startsWith(".")) continue;
    const path = target.startsWith("@/")
      ? target.slice(2)
      : relative(src, resolve(dirname(join(src, file)), target));
    const [itsLayer, itsFeature] = path.split("/");
    if (order.indexOf(itsLayer) > order.indexOf(layer))
      faults.push(`${file}: ${layer} may not import ${path}`);
    if (layer === "features" && itsLayer === "features" && feature !== itsFeature)
      faults.push(`${file}: features may not import each other (${path})`);
  }
}
for (const fault of faults) console.error(fault);
process.exit(faults.length ? 1 : 0);
