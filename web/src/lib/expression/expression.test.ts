import { describe, expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import type { Frame, Value } from "@/lib/frames";
import { atomColumns, elementsOf } from "./atomColumns";
import { completions } from "./completion";
import { atomsWhere, compileExpression, ExpressionError } from "./expression";

const floats = (shape: number[], ...data: number[]): Value => ({
  dtype: "<f8",
  shape,
  data: Float64Array.from(data),
});

function frameOf(more: [string, Value][] = []): Frame {
  return new Map<string, Value>([
    ["arrays.numbers", { dtype: "<i8", shape: [4], data: BigInt64Array.from([8n, 1n, 1n, 29n]) }],
    ["arrays.positions", floats([4, 3], 0, 0, 1, 1, 0, 6, 2, 0, 7, 3, 0, -4)],
    ["cell", floats([3, 3], 4, 0, 0, 0, 4, 0, 0, 0, 20)],
    ["pbc", { dtype: "|b1", shape: [3], data: Uint8Array.from([1, 1, 1]) }],
    ["calc.charges", floats([4], -0.8, 0.4, 0.4, 0)],
    ["calc.forces", floats([4, 3], 3, 4, 0, 0, 0, 0, 0, 0, 1, 0, -2, 0)],
    ["arrays.residue", { dtype: "<U2", shape: [4], data: codePoints(["A", "B", "B", "C"]) }],
    ["constraints", [{ name: "FixAtoms", kwargs: { indices: [0, 3] } }]],
    ...more,
  ]);
}

function codePoints(words: string[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(words.flatMap((word) => [word.codePointAt(0)!, 0]));
}

const structure = structureOf(frameOf());
const columns = atomColumns({ structure, selected: [2] });
const chosen = (text: string) => atomsWhere(text, columns, structure.count);
const fault = (text: string): ExpressionError => {
  try {
    compileExpression(text, columns);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
  }
  throw new Error(`${text} is accepted`);
};

describe("atoms by expression", () => {
  test.each<[string, number[]]>([
    ['element == "H"', [1, 2]],
    ['element == "O" or z > 6', [0, 2]],
    ['element == "H" and z > 5', [1, 2]],
    ['not element == "H"', [0, 3]],
    ['element in ["O", "Cu"]', [0, 3]],
    ['element not in ["O", "Cu"]', [1, 2]],
    ["index in [-1, 1]", [1]],
    ["0 < z <= 6", [0, 1]],
    ["x + 1 == index + 1", [0, 1, 2, 3]],
    ["abs(z) > 3 && !selected", [1, 3]],
    ["charges < 0", [0]],
    ["calc.charges < 0", [0]],
    ["forces > 4.9", [0]],
    ["forces.y == -2", [3]],
    ['residue == "B"', [1, 2]],
    ["fixed", [0, 3]],
    ["a > 0.4", [2, 3]],
    ["-2 ** 2 == -4", [0, 1, 2, 3]],
    ["2 + 3 * 4 == 14 and (2 + 3) * 4 == 20", [0, 1, 2, 3]],
    ["max(x, z, 2) == 2", [0]],
    ["number % 2 == 0", [0]],
    ["selected or selected", [2]],
  ])("%s", (text, atoms) => {
    expect(chosen(text)).toEqual(atoms);
  });

  test.each<[string, RegExp]>([
    ["", /condition/],
    ["element = 'O'", /==/],
    ["element == O", /element == "O"/],
    ["element > 'O'", /== or !=/],
    ["z", /compare it, z > 5/],
    ["element == 5", /text in quotes/],
    ["charge > 0", /Perhaps: charges/],
    ["z > ", /ends too early/],
    ["(z > 1", /parenthesis/],
    ["z > 1 x > 2", /“and” or “or”/],
    ["element in 'O'", /list/],
    ["element in [5]", /quotes/],
    ['"O', /end with/],
    ["z > 1; alert(1)", /“;”/],
    ["constructor == 1", /There is no/],
    ["__proto__ == 1", /There is no/],
    ["abs(1, 2) > 0", /one argument/],
    [`${"(".repeat(500)}z > 1${")".repeat(500)}`, /deeply/],
    [`${"-".repeat(5000)}z > 1`, /deeply/],
  ])("a fault in %s is told", (text, message) => {
    expect(fault(text).message).toMatch(message);
  });

  test("a fault says where it is", () => {
    expect(fault("z > 1 and wrong > 2").start).toBe(10);
  });

  test("100,000 atoms are chosen within 300 ms", () => {
    const count = 100_000;
    const many = structureOf(
      new Map<string, Value>([
        [
          "arrays.numbers",
          {
            dtype: "<i4",
            shape: [count],
            data: Int32Array.from({ length: count }, (_, i) => (i % 3 ? 1 : 8)),
          },
        ],
        ["arrays.positions", { dtype: "<f8", shape: [count, 3], data: new Float64Array(3 * count).fill(6) }],
      ]),
    );
    const started = process.cpuUsage();
    const found = atomsWhere(
      'element == "O" and z > 5 and abs(x) + y * 2 > 1 or index in [1, 2, 3]',
      atomColumns({ structure: many }),
      count,
    );
    expect(found.length).toBe(33_334 + 2);
    // Processor time: other load on the machine does not count.
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(300);
  });
});

describe("completion", () => {
  const words = (text: string) => completions(text, columns, elementsOf(structure)).map(({ word }) => word);

  test("names at the start, operators behind them, values behind these", () => {
    expect(words("")).toContain("element");
    expect(words("el")).toEqual(["element"]);
    expect(words("element ")).toEqual(["==", "!=", "in"]);
    expect(words("element == ")).toEqual(['"H"', '"O"', '"Cu"']);
    expect(words('element == "C')).toEqual(['"Cu"']);
    expect(words('element == "O" ')).toEqual(["and", "or"]);
    expect(words('element == "O" and ch')).toEqual(["charges"]);
    expect(words("z ")).toContain(">");
    expect(words("z > 5 ")).toEqual(["and", "or"]);
    expect(words("§")).toEqual([]);
  });

  test("the whole text is completed", () => {
    expect(completions('element == "O" and ch', columns, [])[0]?.text).toBe('element == "O" and charges');
    expect(completions("element ==", columns, ["O"])[0]?.text).toBe('element == "O"');
  });
});
