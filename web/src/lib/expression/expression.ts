/**
 * A small language that selects atoms: `element == "O" and 2 < z < 5`. An expression is parsed into functions of an atom;
 * no code is generated from its text, and its names are those that the caller gives.
 */
import {
  arithmetic,
  type Column,
  type Columns,
  compared,
  type Numbers,
  number,
  type Truths,
  truth,
} from "./operators";
import { ExpressionError, type Token, tokensOf } from "./tokens";

export type { Column, Columns } from "./operators";
export { ExpressionError } from "./tokens";

const DEEPEST = 100;

const FUNCTIONS: Record<string, (...values: number[]) => number> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  min: Math.min,
  max: Math.max,
};
export const FUNCTION_NAMES = Object.keys(FUNCTIONS);

/** Whether the expression holds for an atom. Throws `ExpressionError` where the text is not an expression. */
export function compileExpression(text: string, columns: Columns): (atom: number) => boolean {
  const parser = new Parser(tokensOf(text), columns);
  return parser.whole().at;
}

export function atomsWhere(text: string, columns: Columns, count: number): number[] {
  const holds = compileExpression(text, columns);
  const atoms: number[] = [];
  for (let atom = 0; atom < count; atom++) if (holds(atom)) atoms.push(atom);
  return atoms;
}

class Parser {
  private next = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly columns: Columns,
  ) {}

  whole(): Truths {
    if (this.peek().kind === "end") throw new ExpressionError('Write a condition: element == "O".', 0);
    const start = this.peek();
    const found = truth(this.either(), start);
    const left = this.peek();
    if (left.kind !== "end")
      throw new ExpressionError(
        left.kind === "sign"
          ? `“${left.value}” is not expected here.`
          : `Join conditions with “and” or “or” before “${left.value}”.`,
        left.start,
      );
    return found;
  }

  private either(): Column {
    if (++this.depth > DEEPEST)
      throw new ExpressionError("The expression is nested too deeply.", this.peek().start);
    const start = this.peek();
    let left = this.both();
    while (this.takes("or", "||")) {
      const one = truth(left, start);
      const other = truth(this.both(), this.peek());
      left = { kind: "truth", at: (atom) => one.at(atom) || other.at(atom) };
    }
    this.depth--;
    return left;
  }

  private both(): Column {
    const start = this.peek();
    let left = this.negation();
    while (this.takes("and", "&&")) {
      const one = truth(left, start);
      const other = truth(this.negation(), this.peek());
      left = { kind: "truth", at: (atom) => one.at(atom) && other.at(atom) };
    }
    return left;
  }

  private negation(): Column {
    let turned = false;
    let any = false;
    while (this.takes("not", "!")) {
      turned = !turned;
      any = true;
    }
    const start = this.peek();
    const value = this.comparison();
    if (!any) return value;
    const { at } = truth(value, start);
    return { kind: "truth", at: turned ? (atom) => !at(atom) : at };
  }

  /** Comparisons may follow each other as on paper: 2 < z <= 5. */
  private comparison(): Column {
    let left = this.sum();
    const parts: Truths[] = [];
    for (;;) {
      const sign = this.peek();
      let one: Truths;
      if (this.takes("in")) one = this.membership(left, sign);
      else if (this.isName("not") && this.isName("in", 1)) {
        this.next += 2;
        const { at } = this.membership(left, sign);
        one = { kind: "truth", at: (atom) => !at(atom) };
      } else if (this.takes("==", "!=", "<", "<=", ">", ">=")) {
        const right = this.sum();
        one = compared(left, sign, right);
        left = right;
      } else if (parts.length < 2) return parts[0] ?? left;
      else return { kind: "truth", at: (atom) => parts.every((part) => part.at(atom)) };
      parts.push(one);
    }
  }

  /** element in ["O", "H"] */
  private membership(left: Column, sign: Token): Truths {
    if (!this.takes("[", "("))
      throw new ExpressionError('Write a list behind “in”: element in ["O", "H"].', this.peek().start);
    const values = new Set<string | number>();
    do {
      const token = this.peek();
      const minus = this.takes("-");
      const value = this.peek();
      if (value.kind !== (left.kind === "text" ? "text" : "number") || left.kind === "truth")
        throw new ExpressionError(
          left.kind === "text"
            ? 'The list needs texts in quotes: ["O", "H"].'
            : "The list needs numbers: [1, 2].",
          token.start,
        );
      this.next++;
      values.add(left.kind === "text" ? value.value : (minus ? -1 : 1) * Number(value.value));
    } while (this.takes(","));
    if (!this.takes("]", ")"))
      throw new ExpressionError("The list has to end with ].", this.peek().start || sign.start);
    return { kind: "truth", at: (atom) => values.has(left.at(atom) as string | number) };
  }

  private sum(): Column {
    let left = this.product();
    for (let sign = this.peek(); this.takes("+", "-"); sign = this.peek())
      left = arithmetic(left, sign, this.product());
    return left;
  }

  private product(): Column {
    let left = this.factor();
    for (let sign = this.peek(); this.takes("*", "/", "%"); sign = this.peek())
      left = arithmetic(left, sign, this.factor());
    return left;
  }

  private factor(): Column {
    const sign = this.peek();
    if (this.takes("-", "+")) {
      if (++this.depth > DEEPEST)
        throw new ExpressionError("The expression is nested too deeply.", sign.start);
      const { at } = number(this.factor(), sign);
      this.depth--;
      return { kind: "number", at: sign.value === "-" ? (atom) => -at(atom) : at };
    }
    const base = this.value();
    const power = this.peek();
    return this.takes("**") ? arithmetic(base, power, this.factor()) : base;
  }

  private value(): Column {
    const token = this.peek();
    this.next++;
    if (token.kind === "number") {
      const value = Number(token.value);
      return { kind: "number", at: () => value };
    }
    if (token.kind === "text") return { kind: "text", at: () => token.value };
    if (token.kind === "sign" && token.value === "(") {
      const inner = this.either();
      if (!this.takes(")")) throw new ExpressionError("A closing parenthesis is missing.", this.peek().start);
      return inner;
    }
    if (token.kind === "name" && !RESERVED.has(token.value)) return this.named(token);
    this.next--;
    throw new ExpressionError(
      token.kind === "end"
        ? "The expression ends too early: a value is missing."
        : `A value is expected before “${token.value}”.`,
      token.start,
    );
  }

  private named(token: Token): Column {
    const name = token.value;
    if (Object.hasOwn(FUNCTIONS, name) && this.takes("(")) {
      const values: Numbers[] = [];
      do values.push(number(this.either(), this.peek()));
      while (this.takes(","));
      if (!this.takes(")")) throw new ExpressionError("A closing parenthesis is missing.", this.peek().start);
      const apply = FUNCTIONS[name]!;
      const [one, other] = values;
      if (values.length === 1) return { kind: "number", at: (atom) => apply(one!.at(atom)) };
      if (name === "abs" || name === "sqrt")
        throw new ExpressionError(`${name} has one argument.`, token.start);
      if (values.length === 2) return { kind: "number", at: (atom) => apply(one!.at(atom), other!.at(atom)) };
      return { kind: "number", at: (atom) => apply(...values.map((value) => value.at(atom))) };
    }
    const column = this.columns.column(name);
    if (column) return column;
    throw new ExpressionError(unknown(name, this.columns.names), token.start);
  }

  private peek(): Token {
    return this.tokens[Math.min(this.next, this.tokens.length - 1)]!;
  }

  private isName(word: string, ahead = 0): boolean {
    const token = this.tokens[this.next + ahead];
    return token?.kind === "name" && token.value === word;
  }

  /** Whether the next token is one of these signs or words; it is taken then. */
  private takes(...any: string[]): boolean {
    const { kind, value } = this.peek();
    if ((kind !== "sign" && kind !== "name") || !any.includes(value)) return false;
    this.next++;
    return true;
  }
}

const RESERVED = new Set(["and", "or", "not", "in"]);

function unknown(name: string, names: readonly string[]): string {
  if (/^[A-Z][a-z]?$/.test(name)) return `Write texts in quotes: element == "${name}".`;
  const close = names.filter((one) => one.toLowerCase().startsWith(name.toLowerCase().slice(0, 3)));
  const known = (close.length ? close : names).slice(0, 6).join(", ");
  return `There is no “${name}”. ${close.length ? "Perhaps" : "There are"}: ${known}.`;
}
