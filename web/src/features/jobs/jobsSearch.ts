// The search parameters of the job table.
import { STATES } from "@/components/StateBadge";
import { choiceParam, choicesParam, type SearchParams, textParam } from "@/lib/searchParams";

export interface JobsSearch {
  status?: string[];
  category?: string;
  name?: string;
  search?: string;
  of?: "mine";
}

export function parseJobsSearch(search: SearchParams): JobsSearch {
  return {
    status: choicesParam(search.status, STATES),
    category: textParam(search.category),
    name: textParam(search.name),
    search: textParam(search.search),
    of: choiceParam(search.of, ["mine"]),
  };
}
