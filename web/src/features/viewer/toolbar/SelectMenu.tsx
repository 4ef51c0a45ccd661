// Selects atoms by a condition or along bonds, and hides or shows atoms.
import { Button, Divider, Group, Stack, Switch } from "@mantine/core";
import { inverted, select, useSelection } from "@/lib/room/selectionStore";
import { AtomExpressionInput } from "@/live/room/AtomExpressionInput";
import { growSelection, shrinkSelection } from "../selectionCommands";
import type { Stage } from "../stage/stage";
import { hideAtoms, showEverything, showOnly, useVisibility } from "../visibilityStore";

export function SelectMenu({ room, stage }: { room: string; stage: Stage }) {
  const atoms = useSelection((now) => now.atoms);
  const onlyInFront = useVisibility((now) => now.onlyInFront);
  const count = stage.structure?.count ?? 0;
  const none = atoms.length === 0;
  return (
    <Stack gap="sm">
      <AtomExpressionInput room={room} inside />
      <Group grow gap="xs">
        <Button variant="default" onClick={() => select(inverted([], count))}>
          All
        </Button>
        <Button variant="default" disabled={none} onClick={() => select([])}>
          None
        </Button>
        <Button variant="default" onClick={() => select(inverted(atoms, count))}>
          Invert
        </Button>
      </Group>
      <Group grow gap="xs">
        <Button variant="default" disabled={none} onClick={() => growSelection(stage)}>
          Grow
        </Button>
        <Button variant="default" disabled={none} onClick={() => shrinkSelection(stage)}>
          Shrink
        </Button>
      </Group>
      <Switch
        label="Visible atoms only"
        description="Boxes and lassos leave out atoms that are hidden behind others"
        checked={onlyInFront}
        onChange={(event) => useVisibility.setState({ onlyInFront: event.currentTarget.checked })}
      />
      <Divider />
      <Group grow gap="xs">
        <Button variant="default" disabled={none} onClick={() => hideAtoms(atoms)}>
          Hide
        </Button>
        <Button variant="default" disabled={none} onClick={() => showOnly(atoms, count)}>
          Only these
        </Button>
        <Button variant="default" onClick={showEverything}>
          Show all
        </Button>
      </Group>
    </Stack>
  );
}
