import { describe, expect, it } from "vitest";
import { literal, runSnippet, sweepSnippet } from "./pythonSnippet";

describe("Python", () => {
  it("writes values as Python has them", () => {
    expect(literal({ a: [1, 2.5, null, true], 'b"': "x\ny" })).toBe(
      '{"a": [1, 2.5, None, True], "b\\"": "x\\ny"}',
    );
  });

  it("calls an extension by name, with arguments that are no names in a dictionary", () => {
    const code = runSnippet({
      room: "lab",
      url: "http://x",
      category: "modifiers",
      name: "Relax",
      data: { fmax: 0.05, class: 1, priority: 3 },
    });
    expect(code).toContain('room.run("modifiers/Relax", {"class": 1, "priority": 3}, fmax=0.05)');
  });

  it("loops over the axes of a sweep, also inside nested values", () => {
    const called = { room: "lab", url: "http://x", category: "a", name: "B", data: { inner: { n: 1 } } };
    const code = sweepSnippet(called, [{ path: ["inner", "n"], values: [1, 2] }]);
    expect(code).toContain("for inner_n in [1, 2]:");
    expect(code).toContain('data["inner"]["n"] = inner_n');
  });
});
