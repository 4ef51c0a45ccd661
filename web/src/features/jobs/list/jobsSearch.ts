// The search parameters of the job table.
import { STATES } from "@/components/jobs/StateBadge";
import { choiceParam, choicesParam, type SearchParams, textParam } from "@/lib/searchParams";
import { type JobFilter, SORTS, spanMs } from "@/live/jobs/jobFilter";

export interface JobsSearch extends JobFilter {
  of?: "mine";
  /** The panel above the table. */
  show?: "errors" | "history";
}

export function parseJobsSearch(search: SearchParams): JobsSearch {
  return {
    status: choicesParam(search.status, STATES),
    category: textParam(search.category),
    name: textParam(search.name),
    search: textParam(search.search),
    text: textParam(search.text),
    user: textParam(search.user),
    worker: textParam(search.worker),
    since: timeParam(search.since),
    until: timeParam(search.until),
    errorType: textParam(search.errorType),
    errorPlace: textParam(search.errorPlace),
    single: search.single === true || search.single === "true" ? true : undefined,
    sort: choiceParam(search.sort, SORTS),
    order: choiceParam(search.order, ["ascending"]),
    of: choiceParam(search.of, ["mine"]),
    show: choiceParam(search.show, ["errors", "history"]),
  };
}

function timeParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && (spanMs(text) !== null || !Number.isNaN(Date.parse(text))) ? text : undefined;
}

/** The filter without what is no filter. */
export function filterOf({ of: _of, show: _show, ...filter }: JobsSearch): JobFilter {
  return filter;
}

/** Whether a filter leaves jobs out; an order does not. */
export function isFiltered({ sort: _sort, order: _order, ...filter }: JobFilter): boolean {
  return Object.values(filter).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
}
