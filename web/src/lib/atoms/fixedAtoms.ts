/** The atoms that a constraint of the frame keeps in place. */
import { asIndices, type Frame, isNumeric, type Value } from "@/lib/frames";

/** Constraints that fix all of an atom, as ASE names them. */
const FIXING = new Set(["FixAtoms", "FixCartesian", "FixScaled"]);

export function fixedAtoms(frame: Frame): number[] {
  const constraints = frame.get("constraints");
  if (!Array.isArray(constraints)) return [];
  return constraints.flatMap(indicesOf);
}

function indicesOf(constraint: Value): number[] {
  if (typeof constraint !== "object" || constraint === null || !("name" in constraint)) return [];
  const { name, kwargs } = constraint as Record<string, Value>;
  if (typeof name !== "string" || !FIXING.has(name) || typeof kwargs !== "object" || kwargs === null)
    return [];
  const given = kwargs as Record<string, Value>;
  const indices = given.indices ?? given.a;
  if (isNumeric(indices)) return [...asIndices(indices)];
  if (Array.isArray(indices)) return indices.map(Number).filter(Number.isInteger);
  return Number.isInteger(Number(indices)) && indices !== null ? [Number(indices)] : [];
}
