/** What may follow in an expression that is being typed. */
import { FUNCTION_NAMES } from "./expression";
import type { Columns } from "./operators";
import { ExpressionError, type Token, tokensOf } from "./tokens";

export interface Completion {
  /** What is offered: a name, an operator or a text in quotes. */
  readonly word: string;
  /** The whole expression with it. */
  readonly text: string;
}

const MOST = 12;

/** Completions of a text whose end is being typed. */
export function completions(text: string, columns: Columns, elements: readonly string[]): Completion[] {
  const quoted = /(["'])([^"']*)$/.exec(text);
  const tokens = readable(text) ?? (quoted ? readable(text.slice(0, quoted.index)) : null);
  if (!tokens) return [];
  if (quoted && readable(text) === null) {
    const before = text.slice(0, quoted.index);
    const words = elements.map((symbol) => `"${symbol}"`);
    return offered(words, `"${quoted[2]}`, before);
  }
  // A name or sign that touches the end is still being typed.
  const last = tokens.at(-1);
  const typing = last?.kind === "name" && last.end === text.length ? last : null;
  const before = typing ? text.slice(0, typing.start) : text;
  const done = typing ? tokens.slice(0, -1) : tokens;
  return offered(wordsAfter(done, columns, elements), typing?.value ?? "", before);
}

function offered(words: readonly string[], typed: string, before: string): Completion[] {
  const gap = before === "" || /[\s([]$/.test(before) ? "" : " ";
  return words
    .filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()) && word !== typed)
    .slice(0, MOST)
    .map((word) => ({ word, text: before + gap + word }));
}

function wordsAfter(done: readonly Token[], columns: Columns, elements: readonly string[]): string[] {
  const last = done.at(-1);
  const names = [...columns.names, ...FUNCTION_NAMES.map((name) => `${name}(`), "not"];
  if (!last) return names;
  const before = done.at(-2);
  const comparable = columns.column(before?.kind === "name" ? before.value : "");
  if (last.kind === "sign" && /^([=!]=|[<>]=?)$/.test(last.value) && comparable?.kind === "text")
    return before?.value === "element" ? elements.map((symbol) => `"${symbol}"`) : [];
  if (isValue(last)) {
    const kind = last.kind === "name" ? columns.column(last.value)?.kind : undefined;
    const compares = before?.kind === "sign" && /^([=!]=|[<>]=?)$/.test(before.value);
    if (compares || last.value === ")" || last.value === "]" || kind === "truth") return ["and", "or"];
    return kind === "text" ? ["==", "!=", "in"] : ["<", "<=", ">", ">=", "==", "!="];
  }
  return names;
}

function isValue({ kind, value }: Token): boolean {
  if (kind === "name") return !["and", "or", "not", "in"].includes(value);
  return kind === "number" || kind === "text" || value === ")" || value === "]";
}

function readable(text: string): Token[] | null {
  try {
    return tokensOf(text).slice(0, -1);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}
