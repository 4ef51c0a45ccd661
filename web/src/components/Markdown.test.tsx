import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MarkdownLine } from "./Markdown";

const shown = (text: string) => renderToStaticMarkup(createElement(MarkdownLine, { text }));

it.each([
  ["Prepare a surface, in **several steps**.", "Prepare a surface, in several steps."],
  ["\n# Relax\n\nUntil `fmax` is reached.", "Relax"],
  ["As [the paper](https://example.org) says, with `fmax`", "As the paper says, with fmax"],
  ["A <b>bold</b> ![picture](https://example.org/a.png)claim", "A bold claim"],
  ["", ""],
])("shows the first line of %j as plain text", (text, expected) => {
  expect(shown(text)).toBe(expected);
});
