// Which value the atoms are coloured by, its colour map and its range.
import { Group, NumberInput, Select, Stack } from "@mantine/core";
import { AUTOMATIC_MAP, COLOUR_MAPS, colourMap, gradient } from "@/lib/atoms/colourmaps";
import { colourKeys, frameKeyLabel } from "@/lib/atoms/frameKeys";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { useViewerSettings } from "../../viewerSettings";
import { useFrameKeys } from "../useFrameKeys";
import { OpacityFields } from "./OpacityFields";
import { RangeButtons } from "./RangeButtons";

export function ColourMenu({ room }: { room: string }) {
  const { data } = useFrameKeys(room);
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const choices = data ? colourKeys(data) : [];
  const known = style.colourBy && !choices.includes(style.colourBy) ? [style.colourBy] : [];
  return (
    <Stack gap="sm">
      <Select
        comboboxProps={DROPDOWN_IN_POPOVER}
        label="Colour by"
        searchable
        data={[
          { value: "", label: "Element" },
          ...[...choices, ...known].map((key) => ({ value: key, label: frameKeyLabel(key) })),
        ]}
        value={style.colourBy ?? ""}
        allowDeselect={false}
        onChange={(key) => set({ colourBy: key || null, range: null })}
      />
      {style.colourBy && (
        <>
          <Select
            comboboxProps={DROPDOWN_IN_POPOVER}
            label="Colour map"
            data={[AUTOMATIC_MAP, ...COLOUR_MAPS.map(({ name }) => name)]}
            value={style.colourMap}
            allowDeselect={false}
            onChange={(map) => map && set({ colourMap: map })}
          />
          {style.colourMap !== AUTOMATIC_MAP && (
            <div style={{ height: 10, borderRadius: 3, background: gradient(colourMap(style.colourMap)) }} />
          )}
          <Group grow gap="xs">
            <NumberInput
              label="From"
              placeholder="smallest"
              value={style.range?.min ?? ""}
              onChange={(min) => set({ range: range(min, style.range?.max) })}
            />
            <NumberInput
              label="To"
              placeholder="largest"
              value={style.range?.max ?? ""}
              onChange={(max) => set({ range: range(style.range?.min, max) })}
            />
          </Group>
          <RangeButtons
            room={room}
            colourBy={style.colourBy}
            atoms={data?.["arrays.positions"]?.shape?.[0] ?? 1}
          />
          <OpacityFields />
        </>
      )}
    </Stack>
  );
}

function range(min: number | string | undefined, max: number | string | undefined) {
  if (typeof min !== "number" && typeof max !== "number") return null;
  const low = typeof min === "number" ? min : Math.min(0, Number(max) - 1);
  const high = typeof max === "number" ? max : Math.max(1, low + 1);
  return { min: low, max: high };
}
