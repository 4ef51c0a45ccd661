// Which change Ctrl+Z undoes, and which undo Ctrl+Shift+Z takes back: always of the signed-in user, never of others.
import type { Change } from "./useChanges";

/** The newest change of the user that is not undone. `changes` are newest first. */
export function changeToUndo(changes: readonly Change[], me: string): Change | null {
  return changes.find((one) => one.author.id === me && !one.undoOf && !one.undoneBy) ?? null;
}

/** The newest undo of the user that is not taken back; null after a change of the user that is newer. */
export function undoToTakeBack(changes: readonly Change[], me: string): Change | null {
  const undos = new Set(changes.filter((one) => one.undoOf).map(({ id }) => id));
  for (const one of changes) {
    if (one.author.id !== me || one.undoneBy) continue;
    if (!one.undoOf) return null;
    // The undo of an undo is what took it back.
    if (!undos.has(one.undoOf)) return one;
  }
  return null;
}
