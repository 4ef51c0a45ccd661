// Which value of the frame is drawn as arrows, and their length.
import { Select, Slider, Stack, Text } from "@mantine/core";
import { frameKeyLabel, vectorKeys } from "@/lib/atoms/frameKeys";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { useViewerSettings } from "../viewerSettings";
import { LabelledValue } from "./LabelledValue";
import { useFrameKeys } from "./useFrameKeys";

export function VectorMenu({ room }: { room: string }) {
  const { data } = useFrameKeys(room);
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const choices = data ? vectorKeys(data) : [];
  const known = style.vectors && !choices.includes(style.vectors) ? [style.vectors] : [];
  if (data && choices.length + known.length === 0)
    return (
      <Text size="sm" c="dimmed">
        This frame has no vectors such as forces or momenta.
      </Text>
    );
  return (
    <Stack gap="sm">
      <Select
        comboboxProps={DROPDOWN_IN_POPOVER}
        label="Arrows for"
        data={[
          { value: "", label: "Nothing" },
          ...[...choices, ...known].map((key) => ({ value: key, label: frameKeyLabel(key) })),
        ]}
        value={style.vectors ?? ""}
        allowDeselect={false}
        onChange={(key) => set({ vectors: key || null })}
      />
      <LabelledValue label="Length" value={`${style.vectorScale.toPrecision(2)} Å per unit`}>
        <Slider
          aria-label="Length of arrows"
          min={-2}
          max={2}
          step={0.05}
          label={null}
          value={Math.log10(style.vectorScale)}
          onChange={(power) => set({ vectorScale: 10 ** power })}
        />
      </LabelledValue>
    </Stack>
  );
}
