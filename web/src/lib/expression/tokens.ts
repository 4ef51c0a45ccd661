/** Splits an expression into tokens; every token knows where it stands, so that an error can point at it. */

export interface Token {
  readonly kind: "number" | "text" | "name" | "sign" | "end";
  /** Of a text: what is between the quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The text is not an expression. The message says what to write instead. */
export class ExpressionError extends Error {
  override name = "ExpressionError";

  constructor(
    message: string,
    /** Where in the text the fault is. */
    readonly start: number,
  ) {
    super(message);
  }
}

const PATTERNS: readonly (readonly [Token["kind"] | "space", RegExp])[] = [
  ["space", /\s+/y],
  ["number", /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["text", /"[^"]*"|'[^']*'/y],
  ["name", /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y],
  ["sign", /\*\*|==|!=|<=|>=|&&|\|\||[-+*/%<>()[\],!]/y],
];

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const found = PATTERNS.map(([kind, pattern]) => {
      pattern.lastIndex = at;
      return [kind, pattern.exec(text)?.[0]] as const;
    }).find(([, part]) => part !== undefined);
    if (!found) throw new ExpressionError(unreadable(text[at]!), at);
    const [kind, part] = found as [Token["kind"] | "space", string];
    const end = at + part.length;
    if (kind !== "space")
      tokens.push({ kind, value: kind === "text" ? part.slice(1, -1) : part, start: at, end });
    at = end;
  }
  tokens.push({ kind: "end", value: "", start: text.length, end: text.length });
  return tokens;
}

function unreadable(letter: string): string {
  if (letter === "=") return 'Write == to compare: element == "O".';
  if (letter === '"' || letter === "'") return `A text has to end with ${letter}.`;
  return `“${letter}” means nothing in an expression.`;
}
