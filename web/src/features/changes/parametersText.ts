// The parameters of a job in one short line: `factor 1.1 · steps 5`.
const MOST_LETTERS = 60;

export function parametersText(parameters: unknown): string {
  if (typeof parameters !== "object" || parameters === null) return "";
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1).trimEnd()}…` : text;
}
