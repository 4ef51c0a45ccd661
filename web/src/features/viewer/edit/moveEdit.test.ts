import { expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import { wrapIntoCell } from "@/lib/atoms/wrapIntoCell";
import { type ArrayValue, type Frame, framesIn, type Value } from "@/lib/frames";
import { encodeFrame } from "@/lib/frames/encode";
import { rewriteFrame } from "@/lib/frames/rewrite";
import { groupOf, NO_TURN } from "./motion";
import { moveEdit } from "./moveEdit";

const positions = (dtype: string, data: ArrayValue["data"]): ArrayValue => ({ dtype, shape: [2, 3], data });
const numbers: ArrayValue = { dtype: "<i8", shape: [2], data: BigInt64Array.from([8n, 1n]) };
const momenta = positions("<f8", Float64Array.from([1, 2, 3, 4, 5, 6]));
const frame = (more: Record<string, Value> = {}): Frame =>
  new Map(
    Object.entries({
      "arrays.numbers": numbers,
      "arrays.positions": positions("<f8", Float64Array.from([0, 0, 0, 1, 0, 0])),
      ...more,
    }),
  );
const RIGHT = { shift: [1, 0, 0], turn: NO_TURN } as const;

test("a motion replaces the positions and leaves out the results, not the momenta", () => {
  const values = {
    "arrays.numbers": numbers,
    "arrays.positions": positions("<f8", Float64Array.from([0, 0, 0, 1, 0, 0])),
    "arrays.momenta": momenta,
    "info.energy": 7,
    "calc.energy": -1.5,
    calculator: "emt",
  };
  const stream = encodeFrame(values).buffer;
  const shown = structureOf(framesIn(stream)[0]!);
  const edit = moveEdit(framesIn(stream)[0]!, shown, groupOf(shown, [1])!, RIGHT);
  const [moved] = framesIn(rewriteFrame(stream, edit).buffer);
  expect([...moved!.keys()]).toEqual(["arrays.numbers", "arrays.positions", "arrays.momenta", "info.energy"]);
  expect([...(moved!.get("arrays.positions") as ArrayValue).data]).toEqual([0, 0, 0, 2, 0, 0]);
  expect(moved!.get("arrays.momenta")).toEqual(momenta);
});

test.each([
  ["<f4", Float32Array.from([0, 0, 0, 1, 0, 0]), "<f4"],
  ["<i8", BigInt64Array.from([0n, 0n, 0n, 1n, 0n, 0n]), "<f8"],
] as const)("positions of type %s are written as %s", (dtype, data, written) => {
  const one = frame({ "arrays.positions": positions(dtype, data) });
  const shown = structureOf(one);
  const { arrays } = moveEdit(one, shown, groupOf(shown, [0])!, RIGHT);
  expect(arrays.get("arrays.positions")).toMatchObject({ dtype: written, shape: [2, 3] });
  expect([...arrays.get("arrays.positions")!.data]).toEqual([1, 0, 0, 1, 0, 0]);
});

test("a motion of atoms that another client has moved is refused; other values may have changed", () => {
  const shown = structureOf(frame());
  const group = groupOf(shown, [0])!;
  const other = frame({ "arrays.positions": positions("<f8", Float64Array.from([0, 0, 0, 1, 0, 9])) });
  expect(() => moveEdit(other, shown, group, RIGHT)).toThrow("changed in the meantime");
  const cell: ArrayValue = { dtype: "<f8", shape: [3, 3], data: new Float64Array(9) };
  expect(() => moveEdit(frame({ cell }), shown, group, RIGHT)).toThrow("changed in the meantime");
  expect(() => moveEdit(frame({ "info.note": "new" }), shown, group, RIGHT)).not.toThrow();
});

test("in the wrapped view an atom is turned as its image is, and stays in its own image", () => {
  const periodic = frame({
    cell: { dtype: "<f8", shape: [3, 3], data: Float64Array.from([4, 0, 0, 0, 4, 0, 0, 0, 4]) },
    pbc: { dtype: "|b1", shape: [3], data: Uint8Array.from([1, 1, 1]) },
    "arrays.positions": positions("<f8", Float64Array.from([1, 1, 1, 6, 1, 1])),
  });
  const shown = wrapIntoCell(structureOf(periodic));
  expect([...shown.positions]).toEqual([1, 1, 1, 2, 1, 1]);
  const half = { shift: [0, 0, 0], turn: [0, 0, 1, 0] } as const;
  const edit = moveEdit(periodic, shown, groupOf(shown, [0, 1])!, half);
  const moved = [...(edit.arrays!.get("arrays.positions") as ArrayValue).data].map(
    (part) => Math.round(Number(part) * 1e6) / 1e6,
  );
  expect(moved).toEqual([2, 1, 1, 5, 1, 1]);
});
