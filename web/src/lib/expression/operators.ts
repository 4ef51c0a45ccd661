/** The values of an expression, one for each atom, and the operators on them. */
import { ExpressionError, type Token } from "./tokens";

/** One value for each atom. */
export type Column =
  | { readonly kind: "number"; readonly at: (atom: number) => number }
  | { readonly kind: "text"; readonly at: (atom: number) => string }
  | { readonly kind: "truth"; readonly at: (atom: number) => boolean };

export interface Columns {
  readonly names: readonly string[];
  column(name: string): Column | undefined;
}

export type Numbers = Extract<Column, { kind: "number" }>;
export type Truths = Extract<Column, { kind: "truth" }>;

export function truth(value: Column, { start }: Token): Truths {
  if (value.kind === "truth") return value;
  throw new ExpressionError(
    value.kind === "text"
      ? 'A text is no condition: compare it, element == "O".'
      : "A number is no condition: compare it, z > 5.",
    start,
  );
}

export function number(value: Column, { start }: Token): Numbers {
  if (value.kind === "number") return value;
  throw new ExpressionError("A number is needed here.", start);
}

export function compared(left: Column, { value: sign, start }: Token, right: Column): Truths {
  if (left.kind !== right.kind)
    throw new ExpressionError(
      left.kind === "text" || right.kind === "text"
        ? 'A text is compared with a text in quotes: element == "O".'
        : "Both sides of a comparison have to be numbers.",
      start,
    );
  const [one, other] = [left.at as (atom: number) => number, right.at as (atom: number) => number];
  if (left.kind !== "number" && sign !== "==" && sign !== "!=")
    throw new ExpressionError(`Use == or != here, not ${sign}.`, start);
  switch (sign) {
    case "==":
      return { kind: "truth", at: (atom) => one(atom) === other(atom) };
    case "!=":
      return { kind: "truth", at: (atom) => one(atom) !== other(atom) };
    case "<":
      return { kind: "truth", at: (atom) => one(atom) < other(atom) };
    case "<=":
      return { kind: "truth", at: (atom) => one(atom) <= other(atom) };
    case ">":
      return { kind: "truth", at: (atom) => one(atom) > other(atom) };
    default:
      return { kind: "truth", at: (atom) => one(atom) >= other(atom) };
  }
}

export function arithmetic(left: Column, token: Token, right: Column): Numbers {
  const [one, other] = [number(left, token).at, number(right, token).at];
  switch (token.value) {
    case "+":
      return { kind: "number", at: (atom) => one(atom) + other(atom) };
    case "-":
      return { kind: "number", at: (atom) => one(atom) - other(atom) };
    case "*":
      return { kind: "number", at: (atom) => one(atom) * other(atom) };
    case "/":
      return { kind: "number", at: (atom) => one(atom) / other(atom) };
    case "%":
      return { kind: "number", at: (atom) => one(atom) % other(atom) };
    default:
      return { kind: "number", at: (atom) => one(atom) ** other(atom) };
  }
}
