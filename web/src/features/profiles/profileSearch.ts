// The search parameters of the profile page.
import { choiceParam, type SearchParams, textParam } from "@/lib/searchParams";

export const PROFILE_TABS = ["icicle", "diff"] as const;

export interface ProfileSearch {
  tab?: (typeof PROFILE_TABS)[number];
  version?: string;
  machine?: string;
  a?: string;
  b?: string;
  /** The function whose callers and callees are shown. */
  of?: string;
}

export function parseProfileSearch(search: SearchParams): ProfileSearch {
  return {
    tab: choiceParam(search.tab, PROFILE_TABS),
    version: textParam(search.version),
    machine: textParam(search.machine),
    a: textParam(search.a),
    b: textParam(search.b),
    of: textParam(search.of),
  };
}
