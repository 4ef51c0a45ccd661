import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { LogLine } from "@/live/jobs/jobPatches";
import classes from "./LogView.module.css";

/** The log of a job; it follows the end while it is scrolled to the end. */
export function LogView({ lines, height = 220 }: { lines: LogLine[]; height?: number | string }) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the view
  useEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  if (!lines.length)
    return (
      <Text size="sm" c="dimmed">
        No output yet.
      </Text>
    );
  return (
    <div
      ref={box}
      className={classes.log}
      style={{ maxHeight: height }}
      tabIndex={0}
      role="log"
      aria-label="Output of the job"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 20;
      }}
    >
      {lines.map((line) => (
        <div key={line.line} className={classes.line}>
          {line.text || "\u00a0"}
        </div>
      ))}
    </div>
  );
}
