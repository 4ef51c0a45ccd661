// The reason why an extension cannot run now, if there is one.
import type { Schemas } from "@/lib/api/client";
import { offlineText } from "./offlineText";

export interface RunBlockedReason {
  text: string;
  /** A job can be queued, which starts later. */
  canWait: boolean;
  /** How it can be run all the same, although it would probably fail. */
  anyway?: string;
}

export function runBlockedReason(
  extension: Schemas["ExtensionInfo"],
  offered: boolean,
  rights: string | undefined,
  /** Why the user cannot write the trajectory now. */
  writeBlocked: string | null,
  now: number,
): RunBlockedReason | null {
  const { name, category } = extension;
  if (rights === "read") return { text: "You may read this room, but not change it.", canWait: false };
  if (!offered) return { text: `${name} was removed.`, canWait: false };
  if (category === "settings") return null;
  if (extension.paused) return { text: `${name} is paused.`, canWait: true };
  // Other categories may read only, or write something else.
  if (category === "modifiers" && writeBlocked)
    return {
      text: `${writeBlocked} A run that changes frames would fail.`,
      canWait: false,
      anyway: "Run nevertheless",
    };
  if (extension.state === "offline") return { text: offlineText(extension, now), canWait: true };
  return null;
}
