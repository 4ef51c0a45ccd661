/** The edit of a frame that moves some of its atoms. */
import type { Structure } from "@/lib/atoms/structure";
import { structureOf } from "@/lib/atoms/structure";
import { type ArrayValue, type Frame, isArray } from "@/lib/frames";
import type { FrameEdit } from "@/lib/frames/rewrite";
import { type AtomGroup, type Motion, movedPositions } from "./motion";

const POSITIONS = "arrays.positions";
/** What a motion is chosen by. If another client changed one of them, the motion may be wrong. */
const SEEN = [POSITIONS, "arrays.numbers", "cell", "pbc"];

/**
 * Results of a calculator belong to the atoms before the motion: as with ASE they are left out, together with the calculator's
 * name. Momenta, constraints, `info` and all other arrays stay.
 */
const isResult = (key: string) => key.startsWith("calc.") || key === "calculator";

/** Throws if the frame is not the one that was shown. */
export function moveEdit(frame: Frame, shown: Structure, group: AtomGroup, motion: Motion): FrameEdit {
  if (SEEN.some((key) => !sameArrays(frame.get(key), shown.frame.get(key))))
    throw new Error("The frame was changed in the meantime. Look at it, and move the atoms again.");
  const before = frame.get(POSITIONS) as ArrayValue;
  const data = writtenPositions(structureOf(frame).positions, shown.positions, group, motion) as
    | Float32Array<ArrayBuffer>
    | Float64Array<ArrayBuffer>;
  // Half floats and integers are read as floats.
  const dtype = before.dtype === "<f4" && data instanceof Float32Array ? "<f4" : "<f8";
  const positions: ArrayValue = {
    dtype,
    shape: before.shape,
    data: dtype === "<f8" ? Float64Array.from(data) : data,
  };
  return { arrays: new Map([[POSITIONS, positions]]), leavesOut: isResult };
}

/** In the wrapped view atoms are shown as periodic images: each moves as its image does. */
function writtenPositions(
  given: Structure["positions"],
  seen: Structure["positions"],
  group: AtomGroup,
  motion: Motion,
) {
  if (given.every((part, at) => Object.is(part, seen[at]))) return movedPositions(given, group, motion);
  const moved = movedPositions(seen, group, motion);
  const written = given.slice();
  for (const atom of group.atoms)
    for (let at = 3 * atom; at < 3 * atom + 3; at++) written[at] = given[at]! + (moved[at]! - seen[at]!);
  return written;
}

function sameArrays(one: unknown, other: unknown): boolean {
  if (!isArray(one) || !isArray(other)) return one === other;
  if (one.dtype !== other.dtype || one.data.length !== other.data.length) return false;
  for (let at = 0; at < one.data.length; at++) if (!Object.is(one.data[at], other.data[at])) return false;
  return true;
}
