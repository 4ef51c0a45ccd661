// What is drawn of the structure: elements, a slice, periodic images and labels.
import {
  Button,
  Chip,
  Group,
  NumberInput,
  RangeSlider,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from "@mantine/core";
import { useMemo } from "react";
import { element } from "@/lib/atoms/elements";
import { colourKeys, frameKeyLabel } from "@/lib/atoms/frameKeys";
import { hasVolume } from "@/lib/atoms/unitCell";
import { ELEMENT_INDEX_LABEL, ELEMENT_LABEL, INDEX_LABEL } from "../overlays/labelText";
import { MOST_REPLICAS } from "../stage/replicas";
import type { Stage } from "../stage/stage";
import { extentAlong, type Slice } from "../stage/visibility";
import { useViewerSettings } from "../viewerSettings";
import { setSlice, showEverything, toggleElement, useVisibility } from "../visibilityStore";
import { useFrameKeys } from "./useFrameKeys";

export function ShownMenu({ room, stage }: { room: string; stage: Stage }) {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const { data } = useFrameKeys(room);
  const periodic = hasVolume(stage.structure?.cell ?? null);
  const properties = data ? colourKeys(data) : [];
  return (
    <Stack gap="sm">
      <Elements stage={stage} />
      <SliceFields stage={stage} />
      {periodic && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            Images drawn along a, b, c
          </Text>
          <Group grow gap="xs">
            {(["a", "b", "c"] as const).map((axis, at) => (
              <NumberInput
                key={axis}
                aria-label={`Images along ${axis}`}
                min={1}
                max={MOST_REPLICAS}
                allowDecimal={false}
                clampBehavior="strict"
                value={style.replicas[at]}
                onChange={(count) =>
                  typeof count === "number" &&
                  set({ replicas: style.replicas.with(at, count) as unknown as typeof style.replicas })
                }
              />
            ))}
          </Group>
        </div>
      )}
      <Select
        comboboxProps={{ withinPortal: false }}
        label="Labels"
        data={[
          { value: "", label: "None" },
          { value: INDEX_LABEL, label: "Index" },
          { value: ELEMENT_LABEL, label: "Element" },
          { value: ELEMENT_INDEX_LABEL, label: "Element and index" },
          ...properties.map((key) => ({ value: key, label: frameKeyLabel(key) })),
        ]}
        value={style.labels ?? ""}
        allowDeselect={false}
        onChange={(labels) => set({ labels: labels || null })}
      />
      <Button variant="default" onClick={showEverything}>
        Show everything
      </Button>
    </Stack>
  );
}

function Elements({ stage }: { stage: Stage }) {
  const hidden = useVisibility((now) => now.hiddenElements);
  const { structure } = stage;
  const numbers = useMemo(
    () => [...new Set(structure?.numbers.subarray(0, structure.count))].sort((a, b) => a - b),
    [structure],
  );
  return (
    <div role="group" aria-label="Elements">
      <Text size="sm" fw={500} mb={4}>
        Elements
      </Text>
      <Group gap={6}>
        {numbers.map((number) => (
          <Chip key={number} size="xs" checked={!hidden.has(number)} onChange={() => toggleElement(number)}>
            {element(number).symbol}
          </Chip>
        ))}
      </Group>
    </div>
  );
}

function SliceFields({ stage }: { stage: Stage }) {
  const slice = useVisibility((now) => now.slice);
  const { structure } = stage;
  const axes = ["off", "x", "y", "z", ...(hasVolume(structure?.cell ?? null) ? ["a", "b", "c"] : [])];
  const extent = useMemo(
    () => (structure && slice ? extentAlong(structure, slice.axis) : null),
    [structure, slice],
  );
  const unit = slice && "abc".includes(slice.axis) ? "" : " Å";
  const [min, max] = extent
    ? [Math.floor(extent.min * 100) / 100, Math.ceil(extent.max * 100) / 100]
    : [0, 1];
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          Slice
        </Text>
        {slice && (
          <Text size="xs" c="dimmed" className="numbers">
            {slice.from.toFixed(2)} to {slice.to.toFixed(2)}
            {unit}
          </Text>
        )}
      </Group>
      <SegmentedControl
        aria-label="Slice along"
        size="xs"
        fullWidth
        data={axes}
        value={slice?.axis ?? "off"}
        onChange={(axis) =>
          setSlice(axis === "off" || !structure ? null : middle(stage, axis as Slice["axis"]))
        }
      />
      {slice && (
        <RangeSlider
          mt="sm"
          min={min}
          max={max}
          minRange={0}
          step={(max - min) / 200 || 0.01}
          label={null}
          thumbFromLabel="Slice from"
          thumbToLabel="Slice to"
          value={[slice.from, slice.to]}
          onChange={([from, to]) => setSlice({ ...slice, from, to })}
        />
      )}
    </div>
  );
}

/** The lower half of the structure: it shows at once what slicing does. */
function middle({ structure }: Stage, axis: Slice["axis"]): Slice {
  const { min, max } = extentAlong(structure!, axis);
  return { axis, from: min, to: (min + max) / 2 };
}
