// Which frames playback visits: each n-th, a part of the trajectory, or the selected ones.
import { ActionIcon, Button, Group, NumberInput, Popover, Stack, Switch, Tooltip } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { selectFrames } from "@/lib/room/frameSelection";
import { usePlayback } from "@/lib/room/playback";
import { useMayWrite } from "@/live/room/sharedSelection";

export function PlaybackFramesMenu({ room }: { room: string }) {
  const mayWrite = useMayWrite(room);
  const [opened, setOpened] = useState(false);
  const { stride, range, onlySelected, selected, length } = usePlayback(
    useShallow(({ stride, range, onlySelected, selected, length }) => ({
      stride,
      range,
      onlySelected,
      selected,
      length,
    })),
  );
  const last = Math.max(0, length - 1);
  const partial = stride > 1 || range !== null || onlySelected;
  const setRange = (part: { from?: number | string; to?: number | string }) => {
    const from = Number(part.from ?? range?.from ?? 0);
    const to = Number(part.to ?? range?.to ?? last);
    usePlayback.setState({ range: from <= 0 && to >= last ? null : { from, to } });
  };
  return (
    <Popover position="top" width={250} shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Tooltip label="Frames that are played" disabled={opened}>
          <ActionIcon
            aria-label="Frames that are played"
            variant={partial ? "light" : "subtle"}
            color={partial ? "iris" : "gray"}
            onClick={() => setOpened(!opened)}
          >
            <IconRoute size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <Stack gap="sm">
          <NumberInput
            label="Each n-th frame"
            min={1}
            max={Math.max(1, last)}
            allowDecimal={false}
            value={stride}
            onChange={(value) =>
              typeof value === "number" && usePlayback.setState({ stride: Math.max(1, value) })
            }
          />
          <Group grow gap="xs">
            <NumberInput
              label="From frame"
              min={0}
              max={range?.to ?? last}
              allowDecimal={false}
              value={range?.from ?? 0}
              onChange={(from) => from !== "" && setRange({ from })}
            />
            <NumberInput
              label="To frame"
              min={range?.from ?? 0}
              max={last}
              allowDecimal={false}
              value={range?.to ?? last}
              onChange={(to) => to !== "" && setRange({ to })}
            />
          </Group>
          <Switch
            label={`Only the ${selected.length.toLocaleString("en")} selected frames`}
            description="Select frames with the lasso of a figure, or from Python"
            disabled={selected.length === 0}
            checked={onlySelected}
            onChange={(event) => usePlayback.setState({ onlySelected: event.currentTarget.checked })}
          />
          {selected.length > 0 && mayWrite && (
            <Button variant="default" onClick={() => selectFrames(room, null)}>
              Deselect the frames
            </Button>
          )}
          <Button
            variant="default"
            disabled={!partial}
            onClick={() => usePlayback.setState({ stride: 1, range: null, onlySelected: false })}
          >
            Play all frames
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
