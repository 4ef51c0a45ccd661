// Formulas in messages: `$…$` within a line and `$$…$$` on a line of their own. KaTeX is loaded only when a message has one.

/** Whether a text can have a formula. */
export const hasMath = (text: string) => /\$[^\s$][^$]*\$|\$\$[^$]+\$\$|```math/.test(text);

/** The class of `$$…$$` within a paragraph; the sanitiser keeps classes that begin with `language-`. */
const DISPLAY = "language-math-display";

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  position?: { start: { offset?: number }; end: { offset?: number } };
  data?: { hProperties?: { className?: string[] } };
}

/**
 * A remark plugin that runs after `remark-math`. Dollars that are no formula become text again: an opening one before a space,
 * a closing one after a space or before a digit, as in "$5 and $10".
 */
export function remarkDollars() {
  return (tree: Node, file: { value: unknown }): void => walk(tree, String(file.value));
}

function walk(node: Node, source: string): void {
  if (!node.children) return;
  node.children = node.children.map((child) => {
    if (child.type !== "inlineMath") {
      walk(child, source);
      return child;
    }
    const start = child.position?.start.offset;
    const end = child.position?.end.offset;
    if (start === undefined || end === undefined) return child;
    const written = source.slice(start, end);
    if (written.startsWith("$$"))
      return { ...child, data: { ...child.data, hProperties: { className: [DISPLAY] } } };
    const isText = /^\$\s|\s\$$/.test(written) || /\d/.test(source[end] ?? "");
    return isText ? { type: "text", value: written } : child;
  });
}

/** What an element of the message is as a formula, by the classes of its code; null if it is none. */
export function formulaKind(className: unknown): "inline" | "display" | null {
  const classes = String(className ?? "").split(/[\s,]+/);
  if (classes.includes(DISPLAY)) return "display";
  return classes.includes("language-math") ? "inline" : null;
}
