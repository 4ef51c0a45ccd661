// The reason why an extension cannot run now, if there is one.
import type { Schemas } from "@/lib/api/client";
import { offlineText } from "./offlineText";

export interface RunBlockedReason {
  text: string;
  /** Whether a job can be queued nevertheless. */
  canWait: boolean;
}

export function runBlockedReason(
  extension: Schemas["ExtensionInfo"],
  offered: boolean,
  rights: string | undefined,
  now: number,
): RunBlockedReason | null {
  const { name, category } = extension;
  if (rights === "read") return { text: "You may read this room, but not change it.", canWait: false };
  if (!offered) return { text: `${name} was removed.`, canWait: false };
  if (category === "settings") return null;
  if (extension.paused) return { text: `${name} is paused.`, canWait: true };
  if (extension.state === "offline") return { text: offlineText(extension, now), canWait: true };
  return null;
}
