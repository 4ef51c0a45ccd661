// The log of a job with search, levels and download.
import { Button, Group, Select, Text, TextInput } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { count } from "@/lib/format";
import type { LogLine } from "@/live/jobs/jobPatches";
import { LogView } from "../LogView";
import { filterLogLines, LEVELS, type Level, logText } from "./logFilter";

const MOST = 1_000;

export function JobLog({ jobId, lines }: { jobId: string; lines: LogLine[] }) {
  const [search, setSearch] = useState("");
  const [least, setLeast] = useState<Level | null>(null);
  const chosen = useMemo(() => filterLogLines(lines, search, least), [lines, search, least]);
  if (!lines.length) return <LogView lines={lines} />;
  const download = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([logText(lines)], { type: "text/plain" }));
    link.download = `job-${jobId}.log`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <Group gap="sm" mb="xs">
        <TextInput
          size="xs"
          w={200}
          aria-label="Search the log"
          placeholder="Search the log"
          leftSection={<IconSearch size={13} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          size="xs"
          w={150}
          aria-label="Level"
          placeholder="Any level"
          data={LEVELS.map((level) => ({ value: level, label: `${level} and above` }))}
          value={least}
          onChange={(level) => setLeast(level as Level | null)}
          clearable
        />
        <Text size="xs" c="dimmed" role="status">
          {chosen.length === lines.length
            ? `${count(lines.length)} lines`
            : `${count(chosen.length)} of ${count(lines.length)} lines`}
          {(lines[0]?.line ?? 1) > 1 && `; the last ${count(MOST)} are kept`}
        </Text>
        <Button
          size="xs"
          variant="default"
          ml="auto"
          leftSection={<IconDownload size={14} />}
          onClick={download}
        >
          Download
        </Button>
      </Group>
      {chosen.length ? (
        <LogView lines={chosen} height={320} />
      ) : (
        <Text size="sm" c="dimmed">
          No line matches.
        </Text>
      )}
    </>
  );
}
