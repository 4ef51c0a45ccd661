// The name of a profiled function with its file and line.
import { Text } from "@mantine/core";
import type { CodePlace } from "./queries";

export function PlaceLabel({ place }: { place: Pick<CodePlace, "name" | "file"> & { line?: number } }) {
  return (
    <>
      <Text span size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
        {place.name}
      </Text>
      <Text size="xs" c="dimmed" truncate maw={420}>
        {place.file === "~" ? "built into Python" : `${place.file}${place.line ? `:${place.line}` : ""}`}
      </Text>
    </>
  );
}
