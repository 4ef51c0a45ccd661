// Downloads frames of the room as a file: all, the one that is shown, or a range.
import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Tooltip,
} from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { paths } from "@/generated/api";
import { api } from "@/lib/api/client";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { saveStream } from "@/lib/fileSink";
import { bytes } from "@/lib/format";
import { notifyError } from "@/lib/notifications";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { usePlayback } from "@/lib/room/playback";
import { useSelection } from "@/lib/room/selectionStore";
import { FILE_FORMATS, type FileFormat, type FrameChoice, fileName, spanOf } from "./downloadSpan";

export function DownloadMenu({ room }: RoomPanelProps) {
  const [opened, setOpened] = useState(false);
  const length = usePlayback((now) => now.length);
  // It goes on, and can be cancelled, after the menu was closed and opened again.
  const saving = useSaveFrames(room);
  return (
    <Popover position="top" width={260} shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Tooltip label="Download frames" disabled={opened}>
          <ActionIcon aria-label="Download frames" disabled={length === 0} onClick={() => setOpened(!opened)}>
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <DownloadFields room={room} last={Math.max(0, length - 1)} saving={saving} />
      </Popover.Dropdown>
    </Popover>
  );
}

type FramesQuery = NonNullable<paths["/api/rooms/{room}/files"]["get"]["parameters"]["query"]>;
type Saving = ReturnType<typeof useSaveFrames>;

function useSaveFrames(room: string) {
  const [received, setReceived] = useState(0);
  const running = useRef<AbortController>(null);
  const { isPending, mutate } = useMutation({
    meta: { quiet: true },
    mutationFn: async ({ query, name }: { query: FramesQuery; name: string }) => {
      setReceived(0);
      running.current = new AbortController();
      const { data } = await api.GET("/api/rooms/{room}/files", {
        params: { path: { room }, query },
        parseAs: "stream",
        signal: running.current.signal,
      });
      await saveStream(data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>, name, setReceived);
    },
    onError: (error) => {
      if (!running.current?.signal.aborted) notifyError(error, "The frames were not downloaded");
    },
  });
  return { isPending, received, start: mutate, cancel: () => running.current?.abort() };
}

function DownloadFields({ room, last, saving }: RoomPanelProps & { last: number; saving: Saving }) {
  const [choice, setChoice] = useState<FrameChoice>("all");
  const [format, setFormat] = useState<FileFormat>("extxyz");
  const [range, setRange] = useState({ from: 0, to: last, step: 1 });
  const [onlySelected, setOnlySelected] = useState(false);
  const step = usePlayback((now) => now.step);
  const atoms = useSelection((now) => now.atoms);
  const change = (part: Partial<typeof range>) => setRange((now) => ({ ...now, ...part }));
  const start = () => {
    const selection = onlySelected && atoms.length ? atoms.join() : undefined;
    const query = { format, selection, ...spanOf(choice, step, range) };
    saving.start({ query, name: fileName(room, format, choice, step, range) });
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Frames to download"
        size="xs"
        fullWidth
        data={[
          { value: "all", label: "All" },
          { value: "this", label: "This one" },
          { value: "range", label: "Range" },
        ]}
        value={choice}
        onChange={(value) => setChoice(value as FrameChoice)}
      />
      {choice === "range" && (
        <Group grow gap="xs">
          {(["from", "to", "step"] as const).map((field) => (
            <NumberInput
              key={field}
              label={field === "from" ? "From" : field === "to" ? "To" : "Each n-th"}
              aria-label={field === "step" ? "Each n-th" : `Download ${field} frame`}
              min={field === "step" ? 1 : field === "to" ? range.from : 0}
              max={field === "from" ? range.to : Math.max(1, last)}
              allowDecimal={false}
              value={range[field]}
              onChange={(value) => typeof value === "number" && change({ [field]: value })}
            />
          ))}
        </Group>
      )}
      <Select
        label="Format"
        comboboxProps={DROPDOWN_IN_POPOVER}
        data={FILE_FORMATS.map(({ value, label }) => ({ value, label }))}
        value={format}
        allowDeselect={false}
        onChange={(value) => value && setFormat(value as FileFormat)}
      />
      <Switch
        label={`Only the ${atoms.length.toLocaleString("en")} selected atoms`}
        disabled={atoms.length === 0}
        checked={onlySelected && atoms.length > 0}
        onChange={(event) => setOnlySelected(event.currentTarget.checked)}
      />
      {saving.isPending ? (
        <Button variant="default" onClick={saving.cancel}>
          Cancel ({bytes(saving.received)})
        </Button>
      ) : (
        <Button onClick={start}>Download</Button>
      )}
    </Stack>
  );
}
