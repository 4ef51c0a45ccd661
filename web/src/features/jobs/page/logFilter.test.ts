import { expect, test } from "vitest";
import { filterLogLines, levelOf, logText } from "./logFilter";

const lines = [
  "printed",
  "INFO relax: step 1",
  "WARNING relax: forces are large",
  "  more about it",
  "CRITICAL relax: gave up",
].map((text, at) => ({ line: at + 1, attempt: 1, at: "2026-03-01T00:00:00Z", text }));
const texts = (search: string, least: Parameters<typeof filterLogLines>[2]) =>
  filterLogLines(lines, search, least).map((line) => line.line);

test("lines are chosen by level and text", () => {
  expect(levelOf("ERRORS are not a level")).toBeNull();
  expect(texts("", null)).toEqual([1, 2, 3, 4, 5]);
  expect(texts("", "WARNING")).toEqual([3, 4, 5]);
  expect(texts("RELAX", "INFO")).toEqual([2, 3, 5]);
  expect(texts("", "ERROR")).toEqual([5]);
});

test("the file has the time and the attempt of each line", () => {
  expect(logText(lines.slice(0, 1))).toBe("2026-03-01T00:00:00Z [1] printed\n");
});
