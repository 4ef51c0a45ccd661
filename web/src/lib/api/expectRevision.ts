// Writes that replace what was read: the server refuses them when the room changed in between.
import { Problem } from "@/lib/api/client";

const MOST_TRIES = 10;

/** The header of a write that the server refuses if the room is past the revision. */
export const expectRevision = (revision: number) => ({ "Workroom-Revision": revision });

/**
 * Reads and writes until nothing was written in between. Any write of the room raises its revision, also that of another
 * selection: `readAndWrite` decides anew from what it reads whether its edit still applies, and throws if not.
 */
export async function untilUndisturbed<T>(readAndWrite: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await readAndWrite();
    } catch (error) {
      const passed = error instanceof Problem && error.code === "revision_passed";
      if (!passed) throw error;
      if (turn === MOST_TRIES)
        throw new Error("Others keep changing this room. Try again when they are done.", { cause: error });
    }
  }
}
