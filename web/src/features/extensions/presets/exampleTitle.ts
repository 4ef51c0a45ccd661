// The examples of a schema have no names, so that their values stand for them.
const MAX_FIELDS = 3;
const MAX_TEXT = 24;

export function exampleTitle(example: Record<string, unknown>): string {
  const fields = Object.entries(example);
  const shown = fields.slice(0, MAX_FIELDS).map(([name, value]) => `${name} ${short(value)}`);
  return (shown.join(", ") || "Defaults") + (fields.length > MAX_FIELDS ? ", …" : "");
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
