// What is drawn: a curve or points, and its name.
import { Group, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { draw, useEditing } from "./editStore";
import type { ShapeKind } from "./pointGeometry";

export function NewShape({ name }: { name: string }) {
  const { kind, smooth, closed } = useEditing((now) => now.drawing);
  return (
    <>
      <SegmentedControl
        aria-label="Kind"
        size="xs"
        fullWidth
        data={[
          { value: "curve", label: "Curve" },
          { value: "points", label: "Points" },
        ]}
        value={kind}
        onChange={(chosen) => draw({ kind: chosen as ShapeKind })}
      />
      <TextInput
        aria-label="Name"
        size="xs"
        value={name}
        onChange={(event) => draw({ name: event.currentTarget.value })}
      />
      {kind === "curve" && (
        <Group gap="md">
          <Switch
            size="xs"
            label="Smooth"
            checked={smooth}
            onChange={(event) => draw({ smooth: event.currentTarget.checked })}
          />
          <Switch
            size="xs"
            label="Closed"
            checked={closed}
            onChange={(event) => draw({ closed: event.currentTarget.checked })}
          />
        </Group>
      )}
    </>
  );
}
