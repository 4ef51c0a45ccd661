import { expect, it } from "vitest";
import { fromOwnLine } from "./traceback";

const TEXT = `Traceback (most recent call last):
  File "workroom/worker/run.py", line 12, in run
    call()
  File "my/relax.py", line 7, in step
    raise ValueError("no cell")
ValueError: no cell
`;

it("begins at the line that raised the error", () => {
  expect(fromOwnLine(TEXT, "my/relax.py:7 in step")).toBe(
    '  File "my/relax.py", line 7, in step\n    raise ValueError("no cell")\nValueError: no cell\n',
  );
  expect(fromOwnLine(TEXT, "other.py:7 in step")).toBe(TEXT);
  expect(fromOwnLine(TEXT, null)).toBe(TEXT);
});
