// Why an extension cannot be run now, if so.
import type { Schemas } from "@/lib/api/client";

export interface RunBlockedReason {
  text: string;
  /** Whether a job may be queued all the same. */
  canWait: boolean;
}

export function runBlockedReason(
  extension: Schemas["ExtensionInfo"],
  offered: boolean,
  rights: string | undefined,
): RunBlockedReason | null {
  const { name, category } = extension;
  if (rights === "read") return { text: "You may look at this room, but not change it.", canWait: false };
  if (!offered) return { text: `The last worker that offers ${name} has left.`, canWait: false };
  if (category === "settings") return null;
  if (extension.paused) return { text: `${name} is paused.`, canWait: true };
  const online = extension.idleWorkers + extension.busyWorkers;
  if (online === 0) return { text: `No worker that offers ${name} is online.`, canWait: true };
  return null;
}
