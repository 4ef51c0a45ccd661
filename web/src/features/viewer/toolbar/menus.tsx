// Menus of the toolbar: atoms and bonds, colours, vectors, help.
import { Button, Group, Kbd, NumberInput, Select, Slider, Stack, Switch, Table, Text } from "@mantine/core";
import { AUTOMATIC_MAP, COLOUR_MAPS, colourMap, gradient } from "@/lib/atoms/colourmaps";
import { colourKeys, frameKeyLabel, vectorKeys } from "@/lib/atoms/frameKeys";
import { VIEWER_SHORTCUTS } from "@/lib/room/viewerShortcuts";
import type { Representation } from "../stage/style";
import { useViewerSettings } from "../viewerSettings";
import { GlobalRangeButton } from "./GlobalRangeButton";
import { OpacityFields } from "./OpacityFields";
import { useFrameKeys } from "./useFrameKeys";

const REPRESENTATIONS: { value: Representation; label: string }[] = [
  { value: "ball-and-stick", label: "Balls and sticks" },
  { value: "sticks", label: "Sticks" },
  { value: "balls", label: "Balls" },
  { value: "space-filling", label: "Space filling" },
];

const INSIDE = { comboboxProps: { withinPortal: false } } as const;

export function StyleMenu() {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  return (
    <Stack gap="sm">
      <Select
        {...INSIDE}
        label="Atoms as"
        data={REPRESENTATIONS}
        value={style.representation}
        allowDeselect={false}
        onChange={(value) => set({ representation: value as Representation })}
      />
      <Named label="Size of atoms" value={`${Math.round(style.atomScale * 100)} %`}>
        <Slider
          aria-label="Size of atoms"
          min={0.3}
          max={2}
          step={0.05}
          label={null}
          value={style.atomScale}
          onChange={(atomScale) => set({ atomScale })}
        />
      </Named>
      <Named
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
      </Named>
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

export function ColourMenu({ room }: { room: string }) {
  const { data } = useFrameKeys(room);
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const choices = data ? colourKeys(data) : [];
  const known = style.colourBy && !choices.includes(style.colourBy) ? [style.colourBy] : [];
  return (
    <Stack gap="sm">
      <Select
        {...INSIDE}
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
            {...INSIDE}
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
          <Group grow gap="xs">
            <Button variant="default" onClick={() => set({ range: null })}>
              This frame
            </Button>
            <GlobalRangeButton
              room={room}
              colourBy={style.colourBy}
              atoms={data?.["arrays.positions"]?.shape?.[0] ?? 1}
            />
          </Group>
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
        {...INSIDE}
        label="Arrows for"
        data={[
          { value: "", label: "Nothing" },
          ...[...choices, ...known].map((key) => ({ value: key, label: frameKeyLabel(key) })),
        ]}
        value={style.vectors ?? ""}
        allowDeselect={false}
        onChange={(key) => set({ vectors: key || null })}
      />
      <Named label="Length" value={`${style.vectorScale.toPrecision(2)} Å per unit`}>
        <Slider
          aria-label="Length of arrows"
          min={-2}
          max={2}
          step={0.05}
          label={null}
          value={Math.log10(style.vectorScale)}
          onChange={(power) => set({ vectorScale: 10 ** power })}
        />
      </Named>
    </Stack>
  );
}

export function HelpMenu() {
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        Drag to turn, right-drag to move, wheel to come closer, Alt-drag to roll. Click an atom to select it,
        with Shift to add; Shift-drag a box; double-click for its molecule. Two to four selected atoms are
        measured.
      </Text>
      <Table verticalSpacing={2} horizontalSpacing={4} fz="xs" withRowBorders={false}>
        <Table.Tbody>
          {VIEWER_SHORTCUTS.map(({ keys, does }) => (
            <Table.Tr key={keys}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                {keys.split(" ").map((key) => (
                  <Kbd key={key} size="xs" mr={2}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function Named({ label, value, children }: { label: string; value: string; children: React.ReactNode }) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {value}
        </Text>
      </Group>
      {children}
    </div>
  );
}
