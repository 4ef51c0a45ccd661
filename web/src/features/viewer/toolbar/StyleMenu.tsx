// How atoms and bonds are drawn, and how distances are measured.
import { Select, Slider, Stack, Switch } from "@mantine/core";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import type { Representation } from "../stage/appearance/style";
import { useViewerSettings } from "../viewerSettings";
import { LabelledValue } from "./LabelledValue";

const REPRESENTATIONS: { value: Representation; label: string }[] = [
  { value: "ball-and-stick", label: "Balls and sticks" },
  { value: "sticks", label: "Sticks" },
  { value: "balls", label: "Balls" },
  { value: "space-filling", label: "Space filling" },
];

export function StyleMenu() {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  return (
    <Stack gap="sm">
      <Select
        comboboxProps={DROPDOWN_IN_POPOVER}
        label="Atoms as"
        data={REPRESENTATIONS}
        value={style.representation}
        allowDeselect={false}
        onChange={(value) => set({ representation: value as Representation })}
      />
      <LabelledValue label="Size of atoms" value={`${Math.round(style.atomScale * 100)} %`}>
        <Slider
          aria-label="Size of atoms"
          min={0.3}
          max={2}
          step={0.05}
          label={null}
          value={style.atomScale}
          onChange={(atomScale) => set({ atomScale })}
        />
      </LabelledValue>
      <LabelledValue
        label="Bonds reach"
        value={style.tolerance === null ? "as the room says" : `${style.tolerance.toFixed(2)} × radii`}
      >
        <Slider
          aria-label="Bonds reach"
          min={0.9}
          max={1.5}
          step={0.01}
          label={null}
          value={style.tolerance ?? 1.2}
          onChange={(tolerance) => set({ tolerance })}
        />
      </LabelledValue>
      <Switch
        label="Coordination polyhedra"
        checked={style.polyhedra}
        onChange={(event) => set({ polyhedra: event.currentTarget.checked })}
      />
      <Switch
        label="Bonds between metals"
        checked={style.metalBonds}
        onChange={(event) => set({ metalBonds: event.currentTarget.checked })}
      />
      <Switch
        label="Measure to the nearest image"
        description="Distances and angles through the faces of a periodic cell"
        checked={style.nearestImages}
        onChange={(event) => set({ nearestImages: event.currentTarget.checked })}
      />
    </Stack>
  );
}
