// What is drawn of the structure: elements, a slice, periodic images and labels.
import { Button, Chip, Group, NumberInput, Select, Stack, Switch, Text } from "@mantine/core";
import { useMemo } from "react";
import { element } from "@/lib/atoms/elements";
import { colourKeys, frameKeyLabel } from "@/lib/atoms/frameKeys";
import { hasVolume } from "@/lib/atoms/unitCell";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { ELEMENT_INDEX_LABEL, ELEMENT_LABEL, INDEX_LABEL } from "../overlays/labelText";
import { MOST_REPLICAS } from "../stage/periodicImages";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { showEverything, toggleElement, useVisibility } from "../visibilityStore";
import { SliceFields } from "./SliceFields";
import { useFrameKeys } from "./useFrameKeys";

export function DisplayMenu({ room, stage }: { room: string; stage: Stage }) {
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
        <Switch
          label="Wrapped into the cell"
          description="Only in this view: the frame stays as it is"
          checked={style.wrapped}
          onChange={(event) => set({ wrapped: event.currentTarget.checked })}
        />
      )}
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
        comboboxProps={DROPDOWN_IN_POPOVER}
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
