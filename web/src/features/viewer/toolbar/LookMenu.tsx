// The look of the scene: camera, lights, material and background, with presets; kept for each user and room.
import { Button, ColorInput, Group, SegmentedControl, Slider, Stack, Switch, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Vector3 } from "three";
import { hasVolume } from "@/lib/atoms/unitCell";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { lookAlong } from "../overlays/AxesGizmo";
import {
  DEFAULT_LOOK,
  LIGHT_PRESETS,
  LOOK_PRESETS,
  MATERIALS,
  type Material,
  materialName,
  materialOf,
  presetOf,
} from "../stage/appearance/sceneLook";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";

const PARTS = ["Camera", "Light", "Material", "Back"] as const;

export default function LookMenu({ stage }: { stage: Stage }) {
  const [part, setPart] = useState<string>("Camera");
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  return (
    <Stack gap="sm">
      <Choice
        label="Preset"
        names={LOOK_PRESETS.map(({ name }) => name)}
        value={presetOf(style)}
        onChange={(name) => set(LOOK_PRESETS.find((preset) => preset.name === name)?.look ?? {})}
      />
      <SegmentedControl
        aria-label="Part of the look"
        size="xs"
        fullWidth
        data={PARTS.map((value) => ({ value, label: value === "Back" ? "Background" : value }))}
        value={part}
        onChange={setPart}
        styles={{ label: { paddingInline: 4 } }}
      />
      {part === "Camera" && <CameraFields stage={stage} />}
      {part === "Light" && <LightFields />}
      {part === "Material" && <MaterialFields stage={stage} />}
      {part === "Back" && <BackgroundFields />}
      <Button variant="default" size="xs" onClick={() => set(DEFAULT_LOOK)}>
        Reset
      </Button>
    </Stack>
  );
}

function CameraFields({ stage }: { stage: Stage }) {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const cell = stage.structure?.cell ?? null;
  return (
    <>
      <Switch
        label="Perspective"
        checked={!style.flat}
        onChange={(event) => set({ flat: !event.currentTarget.checked })}
      />
      {!style.flat && (
        <Level
          label="Angle of view"
          value={style.field}
          least={10}
          most={90}
          step={1}
          text={`${style.field}°`}
          onChange={(field) => set({ field })}
        />
      )}
      <Named label="Look along">
        <Group grow gap={4}>
          {["x", "y", "z"].map((name, axis) => (
            <Button key={name} variant="default" size="compact-sm" onClick={() => lookAlong(stage, axis, 1)}>
              {name}
            </Button>
          ))}
          {hasVolume(cell) &&
            ["a", "b", "c"].map((name, axis) => (
              <Button
                key={name}
                variant="default"
                size="compact-sm"
                onClick={() => lookAlongCell(stage, cell!, axis)}
              >
                {name}
              </Button>
            ))}
        </Group>
      </Named>
      <Group grow gap={4}>
        <Button variant="default" size="compact-sm" onClick={() => lookFromBehind(stage)}>
          From behind
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => stage.resetCamera()}>
          First view
        </Button>
      </Group>
      <Switch
        label="Far atoms fade"
        checked={style.haze}
        onChange={(event) => set({ haze: event.currentTarget.checked })}
      />
    </>
  );
}

/** The vector points to the viewer, and the next but one upwards. */
function lookAlongCell(stage: Stage, cell: ArrayLike<number>, axis: number): void {
  const vector = (row: number) => new Vector3(cell[3 * row], cell[3 * row + 1], cell[3 * row + 2]);
  stage.lookAlong(vector(axis), vector((axis + 2) % 3));
}

function lookFromBehind(stage: Stage): void {
  const { orientation } = stage.orbitCamera;
  stage.lookAlong(
    new Vector3(0, 0, -1).applyQuaternion(orientation),
    new Vector3(0, 1, 0).applyQuaternion(orientation),
  );
}

function LightFields() {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const [right, above] = style.lightFrom;
  const known = LIGHT_PRESETS.find(({ from }) => from[0] === right && from[1] === above);
  return (
    <>
      <Choice
        label="Light from"
        names={LIGHT_PRESETS.map(({ name }) => name)}
        value={known?.name ?? null}
        onChange={(name) => set({ lightFrom: LIGHT_PRESETS.find((one) => one.name === name)!.from })}
      />
      <Level
        label="To the right"
        value={right}
        least={-90}
        most={90}
        step={1}
        text={`${right}°`}
        onChange={(value) => set({ lightFrom: [value, above] })}
      />
      <Level
        label="Above"
        value={above}
        least={-90}
        most={90}
        step={1}
        text={`${above}°`}
        onChange={(value) => set({ lightFrom: [right, value] })}
      />
      <Level label="Brightness" value={style.light} most={2} onChange={(light) => set({ light })} />
      <Level label="Light from all sides" value={style.fill} most={2} onChange={(fill) => set({ fill })} />
    </>
  );
}

function MaterialFields({ stage }: { stage: Stage }) {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const material = materialOf(style, stage.room.material);
  const change = (part: Partial<Material>) => set({ material: { ...material, ...part } });
  return (
    <>
      <Choice
        label="Material"
        names={MATERIALS.map(({ name }) => name)}
        value={materialName(material)}
        onChange={(name) => set({ material: MATERIALS.find((one) => one.name === name)!.material })}
      />
      <Level label="Highlights" value={material.shine} most={3} onChange={(shine) => change({ shine })} />
      <Level label="Gloss" value={material.gloss} most={1} onChange={(gloss) => change({ gloss })} />
      <Level label="Shading" value={material.shading} most={1} onChange={(shading) => change({ shading })} />
      <Level
        label="Dark edges"
        value={material.outline}
        most={1}
        onChange={(outline) => change({ outline })}
      />
    </>
  );
}

const BACKGROUNDS: readonly { name: string; colour: string | null }[] = [
  { name: "Page", colour: null },
  { name: "White", colour: "#ffffff" },
  { name: "Black", colour: "#000000" },
];

function BackgroundFields() {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  return (
    <>
      <Choice
        label="Background"
        names={BACKGROUNDS.map(({ name }) => name)}
        value={BACKGROUNDS.find(({ colour }) => colour === style.background)?.name ?? null}
        onChange={(name) => set({ background: BACKGROUNDS.find((one) => one.name === name)!.colour })}
      />
      <ColorInput
        label="Own colour"
        placeholder="#rrggbb"
        format="hex"
        withEyeDropper={false}
        popoverProps={DROPDOWN_IN_POPOVER}
        swatches={["#f1f3f5", "#e7f5ff", "#1f2933", "#0b1d3a"]}
        value={style.background ?? ""}
        onChange={(colour) => set({ background: /^#[0-9a-f]{6}$/i.test(colour) ? colour : null })}
      />
      <Switch
        label="Transparent in pictures"
        description="Saved pictures have no background; movies keep it"
        checked={style.transparent}
        onChange={(event) => set({ transparent: event.currentTarget.checked })}
      />
    </>
  );
}

function Choice(props: {
  label: string;
  names: readonly string[];
  /** Null: it is none of them. */
  value: string | null;
  onChange: (name: string) => void;
}) {
  const { label, names, value, onChange } = props;
  return (
    <Named label={label}>
      <SegmentedControl
        aria-label={label}
        size="xs"
        fullWidth
        data={[...names]}
        value={value ?? ""}
        onChange={onChange}
        styles={{ label: { paddingInline: 4 } }}
      />
    </Named>
  );
}

function Level(props: {
  label: string;
  value: number;
  least?: number;
  most: number;
  step?: number;
  text?: string;
  onChange: (value: number) => void;
}) {
  const { label, value, least = 0, most, step = 0.05, text, onChange } = props;
  return (
    <Named label={label} value={text ?? `${Math.round(100 * value)} %`}>
      <Slider
        aria-label={label}
        min={least}
        max={most}
        step={step}
        label={null}
        value={value}
        onChange={onChange}
      />
    </Named>
  );
}

function Named({ label, value, children }: { label: string; value?: string; children: ReactNode }) {
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
