// The slice: its direction, and the two planes between which atoms are drawn.
import { Group, RangeSlider, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { Vector3 } from "three";
import { hasVolume } from "@/lib/atoms/unitCell";
import { extentAlong, parseMiller, type Slice } from "../stage/appearance/visibility";
import type { Stage } from "../stage/stage";
import { setSlice, useVisibility } from "../visibilityStore";

const FIRST_PLANES = [1, 1, 1] as const;

export function SliceFields({ stage }: { stage: Stage }) {
  const slice = useVisibility((now) => now.slice);
  const { structure } = stage;
  const inCell = hasVolume(structure?.cell ?? null) ? ["a", "b", "c", "hkl"] : [];
  const axes = ["off", "x", "y", "z", ...inCell, "view"];
  const extent = useMemo(
    () => (structure && slice ? extentAlong(structure, slice) : null),
    [structure, slice],
  );
  const unit = slice && "abc".includes(slice.axis) ? "" : " Å";
  const [min, max] = extent
    ? [Math.floor(extent.min * 100) / 100, Math.ceil(extent.max * 100) / 100]
    : [0, 1];
  const choose = (axis: string) => {
    if (axis === "off" || !structure) return setSlice(null);
    const vector = axis === "hkl" ? FIRST_PLANES : axis === "view" ? towardsViewer(stage) : undefined;
    setSlice(lowerHalf(stage, { axis: axis as Slice["axis"], vector }));
  };
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
        onChange={choose}
        styles={{ label: { paddingInline: 2 } }}
      />
      {slice?.axis === "hkl" && <MillerField stage={stage} />}
      {slice?.axis === "view" && (
        <Text size="xs" c="dimmed" mt={4}>
          Along the view of the moment when you chose it. Choose another direction and then this one to take
          the view of now.
        </Text>
      )}
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

function MillerField({ stage }: { stage: Stage }) {
  const [text, setText] = useState(() => (useVisibility.getState().slice?.vector ?? FIRST_PLANES).join(" "));
  const valid = parseMiller(text) !== null;
  return (
    <TextInput
      mt="xs"
      size="xs"
      label="Planes h k l"
      value={text}
      error={valid ? undefined : "Three whole numbers, for example 1 1 0"}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        const vector = parseMiller(value);
        if (vector) setSlice(lowerHalf(stage, { axis: "hkl", vector }));
      }}
    />
  );
}

/** The direction from the structure to the viewer. */
function towardsViewer({ orbitCamera }: Stage): [number, number, number] {
  return new Vector3(0, 0, 1).applyQuaternion(orbitCamera.orientation).toArray();
}

/** The lower half of the structure, or the farther one in the view: it shows at once what slicing does. */
function lowerHalf({ structure }: Stage, direction: Pick<Slice, "axis" | "vector">): Slice {
  const { min, max } = extentAlong(structure!, direction);
  return { ...direction, from: min, to: (min + max) / 2 };
}
