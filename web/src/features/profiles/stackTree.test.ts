import { expect, it } from "vitest";
import { buildStackTree } from "./stackTree";

it("stacks with the same beginning share their way down the tree", () => {
  const tree = buildStackTree(
    {
      shared: { frames: [{ name: "main" }, { name: "read", file: "io.py", line: 3 }, { name: "write" }] },
      profiles: [
        {
          type: "sampled",
          samples: [
            [0, 1],
            [0, 2],
            [0, 1],
          ],
          weights: [2, 3, 5],
        },
      ],
    },
    "resize",
  );
  expect(tree).toEqual({
    name: "resize",
    place: "",
    value: 10,
    children: [
      {
        name: "main",
        place: "",
        value: 10,
        children: [
          { name: "read", place: "io.py:3", value: 7, children: [] },
          { name: "write", place: "", value: 3, children: [] },
        ],
      },
    ],
  });
});
