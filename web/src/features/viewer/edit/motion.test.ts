import { describe, expect, test } from "vitest";
import { groupOf, motionText, movedPositions, NO_MOTION, NO_TURN, turnAbout } from "./motion";

const CELL = Float64Array.from([10, 0, 0, 0, 10, 0, 0, 0, 10]);
const rounded = (numbers: ArrayLike<number>) => Array.from(numbers, (one) => Math.round(one * 1e6) / 1e6 + 0);

function structure(numbers: number[], positions: number[], periodic = false) {
  return {
    count: numbers.length,
    numbers: Int32Array.from(numbers),
    positions: Float64Array.from(positions),
    cell: periodic ? CELL : null,
    pbc: [periodic, periodic, periodic] as const,
  };
}

describe("a group", () => {
  test("has its centre in the middle of the selected atoms", () => {
    const water = structure([8, 1, 1], [0, 0, 0, 1, 0, 0, 0, 2, 0]);
    expect(groupOf(water, [1, 2])?.centre).toEqual([0.5, 1, 0]);
    expect(groupOf(water, [])).toBeNull();
    expect(groupOf(water, [7])).toBeNull();
  });

  test("leaves out atoms without a place", () => {
    const odd = structure([8, 1], [Number.NaN, 0, 0, 1, 2, 3]);
    expect(groupOf(odd, [0, 1])).toMatchObject({ atoms: [1], centre: [1, 2, 3] });
  });

  test("is whole where a face of the cell cuts a molecule", () => {
    const cut = structure([8, 1, 1], [9.8, 5, 5, 0.7, 5, 5, 9.5, 5.9, 5], true);
    const group = groupOf(cut, [0, 1, 2])!;
    expect(rounded(group.images)).toEqual([9.8, 5, 5, 10.7, 5, 5, 9.5, 5.9, 5]);
    expect(rounded(group.centre)).toEqual([10, 5.3, 5]);
  });

  test("stays as it is drawn where bonds within the cell connect it", () => {
    // A chain through the whole cell: its ends are bonded through the face, too.
    const chain = structure(
      Array(7).fill(6),
      Array.from({ length: 7 }, (_, at) => [(at * 10) / 7, 5, 5]).flat(),
      true,
    );
    const group = groupOf(chain, [0, 1, 2, 3, 4, 5, 6])!;
    expect(rounded(group.images)).toEqual(rounded(chain.positions));
  });
});

describe("a motion", () => {
  const pair = structure([6, 6, 8], [1, 0, 0, 3, 0, 0, 9, 9, 9]);

  test("shifts the group and nothing else, exactly", () => {
    const group = groupOf(pair, [0, 1])!;
    const moved = movedPositions(pair.positions, group, { shift: [0.5, 0, -2], turn: NO_TURN });
    expect([...moved]).toEqual([1.5, 0, -2, 3.5, 0, -2, 9, 9, 9]);
    expect([...movedPositions(pair.positions, group, NO_MOTION)]).toEqual([...pair.positions]);
  });

  test("turns the group about its centre", () => {
    const moved = movedPositions(pair.positions, groupOf(pair, [0, 1])!, {
      shift: [0, 0, 0],
      turn: turnAbout(2, 90),
    });
    expect(rounded(moved)).toEqual([2, -1, 0, 2, 1, 0, 9, 9, 9]);
  });

  test("turns a cut molecule as one, and leaves each atom in its image", () => {
    const cut = structure([6, 6], [9.5, 5, 5, 0.5, 5, 5], true);
    const moved = movedPositions(cut.positions, groupOf(cut, [0, 1])!, {
      shift: [0, 0, 0],
      turn: turnAbout(2, 90),
    });
    expect(rounded(moved)).toEqual([10, 4.5, 5, 0, 5.5, 5]);
  });

  test("keeps single precision", () => {
    const positions = Float32Array.from([1, 2, 3]);
    const group = groupOf({ ...structure([1], [1, 2, 3]), positions }, [0])!;
    expect(movedPositions(positions, group, { shift: [1, 0, 0], turn: NO_TURN })).toBeInstanceOf(
      Float32Array,
    );
  });

  test.each([
    [{ shift: [0.5, 0, -0.00001], turn: NO_TURN }, "Δ 0.500, 0.000, 0.000 Å (0.500 Å)"],
    [{ shift: [0, 0, 0], turn: turnAbout(2, 30) }, "30.0° about z"],
    [{ shift: [0, 0, 0], turn: turnAbout(0, -30) }, "-30.0° about x"],
    [{ shift: [0, 0, 0], turn: turnAbout(1, 270) }, "-90.0° about y"],
    [{ shift: [0, 0, 0], turn: [0.5, 0.5, 0.5, 0.5] }, "120.0° about (0.58, 0.58, 0.58)"],
  ] as const)("is told in numbers: %j", (motion, text) => {
    expect(motionText(motion)).toBe(text);
  });
});
