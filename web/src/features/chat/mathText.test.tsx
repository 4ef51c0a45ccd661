import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown from "react-markdown";
import remarkMath from "remark-math";
import { expect, test } from "vitest";
import { formulaKind, hasMath, remarkDollars } from "./mathText";

function formulas(text: string) {
  const found: [string, string][] = [];
  const rest = renderToStaticMarkup(
    <ReactMarkdown
      remarkPlugins={[remarkMath, remarkDollars]}
      components={{
        code: ({ className, children }) => {
          const kind = formulaKind(className);
          if (kind) found.push([kind, String(children).trim()]);
          return kind ? null : <code>{children}</code>;
        },
      }}
    >
      {text}
    </ReactMarkdown>,
  );
  return { found, rest };
}

test("formulas are found, and markdown does not touch them", () => {
  expect(formulas(String.raw`so $a_1 * b_1 * \{c\}$ and $$\frac{1}{2}$$`).found).toEqual([
    ["inline", String.raw`a_1 * b_1 * \{c\}`],
    ["display", String.raw`\frac{1}{2}`],
  ]);
  expect(formulas("$$\nE = mc^2\n$$").found).toEqual([["inline", "E = mc^2"]]);
});

test("dollars of prices and in code are text", () => {
  const prices = "it costs $5 or $10, and $ 3 $ more";
  expect(formulas(prices)).toEqual({ found: [], rest: `<p>${prices}</p>` });
  expect(formulas("`$x$`").found).toEqual([]);
});

test("only messages with a formula load KaTeX", () => {
  expect(["$x$", "a $\\alpha$ b", "$$\nx\n$$", "```math\nx\n```"].map(hasMath)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["no", "$5", "5 $", "$ x", "$$"].map(hasMath)).toEqual([false, false, false, false, false]);
});
