// The time in which the shown jobs were submitted: a span that ends now, or between two times.
import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { spanMs } from "@/live/jobs/jobFilter";

const SPANS = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last day" },
  { value: "7d", label: "Last week" },
  { value: "30d", label: "Last month" },
];
const BETWEEN = "between";

interface Times {
  since?: string;
  until?: string;
}

export function TimeFilter({ since, until, set }: Times & { set: (times: Times) => void }) {
  const given = until !== undefined || (since !== undefined && spanMs(since) === null);
  const [opened, setOpened] = useState(given);
  const between = given || opened;
  const chosen = between ? BETWEEN : (since ?? null);
  const other = chosen && chosen !== BETWEEN && !SPANS.some((span) => span.value === chosen);
  return (
    <>
      <Select
        aria-label="Time"
        placeholder="Any time"
        size="xs"
        w={130}
        data={[
          ...SPANS,
          ...(other ? [{ value: chosen, label: `Last ${chosen}` }] : []),
          { value: BETWEEN, label: "Between …" },
        ]}
        value={chosen}
        onChange={(value) => {
          setOpened(value === BETWEEN);
          if (value !== BETWEEN) set({ since: value ?? undefined, until: undefined });
        }}
        clearable
        clearButtonProps={{ "aria-label": "Any time" }}
      />
      {between && (
        <>
          <TimeInput
            label="From"
            value={given ? since : undefined}
            set={(time) => set({ since: time, until })}
          />
          <TimeInput
            label="To"
            value={until}
            set={(time) => set({ since: given ? since : undefined, until: time })}
          />
        </>
      )}
    </>
  );
}

/** A time of the browser's time zone. It is set when the input is left. */
function TimeInput({
  label,
  value,
  set,
}: {
  label: string;
  value: string | undefined;
  set: (time: string | undefined) => void;
}) {
  return (
    <TextInput
      type="datetime-local"
      aria-label={label}
      size="xs"
      w={180}
      key={value}
      defaultValue={value && localText(value)}
      onBlur={(event) => {
        const text = event.currentTarget.value;
        if (text !== (value ? localText(value) : "")) set(text ? new Date(text).toISOString() : undefined);
      }}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

function localText(time: string): string {
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
