// Who offered an extension last, for one without a worker.
import type { Schemas } from "@/lib/api/client";
import { ago } from "@/lib/format";

type Extension = Pick<Schemas["ExtensionInfo"], "lastOfferedAt" | "lastOfferedBy">;

export function offlineText({ lastOfferedAt: at, lastOfferedBy: by }: Extension, now: number): string {
  if (!at) return "Offline: no worker is online.";
  return `Offline: last offered${by ? ` by ${by}` : ""}, ${ago(at, now)}.`;
}
