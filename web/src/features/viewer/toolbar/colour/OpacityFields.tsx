// Which atoms fade, by the value that colours them.
import { Group, NumberInput, RangeSlider, SegmentedControl, Stack, Switch, Text } from "@mantine/core";
import { DEFAULT_OPACITY, type OpacityBy } from "../../stage/appearance/opacity";
import { useViewerSettings } from "../../viewerSettings";

export function OpacityFields() {
  const by = useViewerSettings((now) => now.style.opacityBy);
  const set = useViewerSettings((now) => now.set);
  const change = (part: Partial<OpacityBy>) => set({ opacityBy: { ...DEFAULT_OPACITY, ...by, ...part } });
  return (
    <Stack gap="xs">
      <Switch
        label="Opacity follows the value"
        checked={by !== null}
        onChange={(event) => set({ opacityBy: event.currentTarget.checked ? DEFAULT_OPACITY : null })}
      />
      {by && (
        <>
          <SegmentedControl
            aria-label="Values that fade"
            size="xs"
            fullWidth
            data={[
              { value: "low", label: "Low fade" },
              { value: "middle", label: "Middle" },
              { value: "high", label: "High fade" },
            ]}
            value={by.fade}
            onChange={(fade) => change({ fade: fade as OpacityBy["fade"] })}
          />
          <div>
            <Group justify="space-between" mb={4}>
              <Text size="sm">Opacity</Text>
              <Text size="xs" c="dimmed" className="numbers">
                {Math.round(100 * by.least)} to {Math.round(100 * by.most)} %
              </Text>
            </Group>
            <RangeSlider
              min={0}
              max={1}
              step={0.05}
              minRange={0.05}
              label={null}
              thumbFromLabel="Lowest opacity"
              thumbToLabel="Highest opacity"
              value={[by.least, by.most]}
              onChange={([least, most]) => change({ least, most })}
            />
          </div>
          <Group grow gap="xs">
            <NumberInput
              label="Fades from"
              placeholder="as colours"
              value={by.range?.min ?? ""}
              onChange={(min) => change({ range: withEnd(by.range, { min }) })}
            />
            <NumberInput
              label="to"
              placeholder="as colours"
              value={by.range?.max ?? ""}
              onChange={(max) => change({ range: withEnd(by.range, { max }) })}
            />
          </Group>
        </>
      )}
    </Stack>
  );
}

/** An end that is cleared gives the range back to the colours. */
function withEnd(range: OpacityBy["range"], end: { min?: number | string; max?: number | string }) {
  const { min = range?.min, max = range?.max } = end;
  if (typeof min === "number") return { min, max: typeof max === "number" ? max : min + 1 };
  return typeof max === "number" && end.max !== undefined ? { min: max - 1, max } : null;
}
