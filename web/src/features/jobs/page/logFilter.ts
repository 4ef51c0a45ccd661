// Levels of log lines, and the lines that a search leaves.
import type { LogLine } from "@/live/jobs/jobPatches";

export const LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"] as const;
export type Level = (typeof LEVELS)[number];

const LEVEL = /^(DEBUG|INFO|WARNING|ERROR|CRITICAL) /;

/** The level that Python's logging wrote before the line; none for a printed line. */
export function levelOf(text: string): Level | null {
  const found = text.match(LEVEL)?.[1];
  return found === "CRITICAL" ? "ERROR" : ((found as Level | undefined) ?? null);
}

/** The lines of at least a level that contain a text. Lines without a level belong to the one before, as those of a traceback. */
export function filterLogLines(lines: LogLine[], search: string, least: Level | null): LogLine[] {
  const wanted = search.trim().toLowerCase();
  let level: Level | null = null;
  return lines.filter((line) => {
    level = levelOf(line.text) ?? (least === null ? null : level);
    const isLoud = least === null || (level !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least));
    return isLoud && (!wanted || line.text.toLowerCase().includes(wanted));
  });
}

/** The log as a text file, with the time of each line. */
export function logText(lines: LogLine[]): string {
  return lines.map((line) => `${line.at} [${line.attempt}] ${line.text}\n`).join("");
}
