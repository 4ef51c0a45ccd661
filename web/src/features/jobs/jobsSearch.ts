// The search parameters of the job table.
import { choiceParam, type SearchParams, textListParam, textParam, withoutEmpty } from "@/lib/searchParams";

export interface JobsSearch {
  status?: string[];
  category?: string;
  name?: string;
  of?: "mine";
}

export function parseJobsSearch(search: SearchParams): JobsSearch {
  return withoutEmpty({
    status: textListParam(search.status),
    category: textParam(search.category),
    name: textParam(search.name),
    of: choiceParam(search.of, ["mine"]),
  });
}
