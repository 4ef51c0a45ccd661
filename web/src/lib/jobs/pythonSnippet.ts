// What was filled in, as the Python that does the same.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A value as a Python literal. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") return Object.is(value, -0) ? "-0.0" : String(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return `{${Object.entries(value as object)
    .map(([key, inner]) => `${quoted(key)}: ${literal(inner)}`)
    .join(", ")}}`;
}

function quoted(text: string): string {
  const body = JSON.stringify(text)
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u2028\u2029]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  return `"${body}"`;
}

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
// Words that `run` takes for itself.
const RESERVED = new Set([
  "category",
  "scope",
  "priority",
  "depends_on",
  "idempotency_key",
  "tries",
  "run_at",
]);

function isKeywordArgument(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name) && !RESERVED.has(name);
}

function callArguments(first: string[], data: Record<string, unknown>): string {
  const parts = [...first];
  const odd = Object.entries(data).filter(([name]) => !isKeywordArgument(name));
  if (odd.length) parts.push(literal(Object.fromEntries(odd)));
  for (const [name, value] of Object.entries(data))
    if (isKeywordArgument(name)) parts.push(`${name}=${literal(value)}`);
  const line = parts.join(", ");
  return line.length <= 80 ? line : `\n    ${parts.join(",\n    ")},\n`;
}

export interface ExtensionCall {
  room: string;
  url: string;
  category: string;
  name: string;
  scope?: string;
  data: Record<string, unknown>;
}

/** Submit one job and wait for its result. */
export function runSnippet({ room, url, category, name, data }: ExtensionCall): string {
  return [
    "from workroom import Room",
    "",
    `room = Room(${literal(room)}, url=${literal(url)})`,
    `job = room.run(${callArguments([literal(`${category}/${name}`)], data)})`,
    "job.wait()",
    "print(job.result())",
    "",
  ].join("\n");
}

export interface SweepAxis {
  path: string[];
  values: unknown[];
}

/** Submit one job for each point of a grid. */
export function sweepSnippet(called: ExtensionCall, axes: SweepAxis[]): string {
  const names = axes.map(({ path }) => path.join("_").replace(/\W/g, "_"));
  const loops = axes.map(({ values }, at) => `${"    ".repeat(at)}for ${names[at]} in ${literal(values)}:`);
  const indent = "    ".repeat(axes.length);
  const sets = axes.map(
    ({ path }, at) => `${indent}data${path.map((part) => `[${literal(part)}]`).join("")} = ${names[at]}`,
  );
  return [
    "import copy",
    "",
    "from workroom import Room",
    "",
    `room = Room(${literal(called.room)}, url=${literal(called.url)})`,
    `base = ${literal(called.data)}`,
    "jobs = []",
    ...loops,
    `${indent}data = copy.deepcopy(base)`,
    ...sets,
    `${indent}jobs.append(room.run(${literal(`${called.category}/${called.name}`)}, data))`,
    "print([job.wait().result() for job in jobs])",
    "",
  ].join("\n");
}
