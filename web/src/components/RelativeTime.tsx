import { Tooltip } from "@mantine/core";
import { ago, moment } from "@/lib/format";
import { useNow } from "@/lib/useNow";

/** A time as its distance, the exact one on hover. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000);
  return (
    <Tooltip label={moment(at)}>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {ago(at, now)}
      </time>
    </Tooltip>
  );
}
