import { Progress, Tooltip } from "@mantine/core";
import { count } from "@/lib/format";
import type { Posting } from "./queries";

/** Progress of a posting: finished, failed, cancelled and remaining jobs. */
export function PostingBar({ posting, size = 8 }: { posting: Posting; size?: number }) {
  const share = (part: number) => (posting.total ? (part / posting.total) * 100 : 0);
  const parts = [
    ["completed", "finished", posting.completed],
    ["failed", "failed", posting.failed],
    ["cancelled", "cancelled", posting.cancelled],
  ] as const;
  const label = `${count(posting.completed)} of ${count(posting.total)} finished${posting.failed ? `, ${count(posting.failed)} failed` : ""}`;
  return (
    <Progress.Root
      size={size}
      role="img"
      aria-label={label}
      bg="color-mix(in srgb, var(--wr-quiet) 16%, transparent)"
    >
      {parts.map(([state, label, number]) =>
        number ? (
          <Tooltip key={state} label={`${count(number)} ${label}`}>
            <Progress.Section value={share(number)} color={`var(--wr-${state})`} withAria={false} />
          </Tooltip>
        ) : null,
      )}
    </Progress.Root>
  );
}
