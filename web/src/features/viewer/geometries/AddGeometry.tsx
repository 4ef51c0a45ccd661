// Adds a geometry to the room: a kind is chosen, and a form with values that fit the structure is saved as one change.
import { Box, Button, Menu } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { structureOf } from "@/lib/atoms/structure";
import { useRestingStep, useWholeFrame } from "@/live/room/useWholeFrame";
import { freeKey } from "../edit/pointGeometry";
import type { Geometry } from "../scene/splitGeometries";
import { NEW_KINDS, type NewKind, newGeometry, volumeKeys } from "./newGeometry";
import { useGeometrySchemas } from "./useGeometries";

const GeometryForm = lazy(async () => ({ default: (await import("./GeometryForm")).GeometryForm }));
const NO_FRAME = new Map();

export function AddGeometry({ room, taken }: { room: string; taken: readonly string[] }) {
  const [opened, setOpened] = useState(false);
  const [adding, setAdding] = useState<{ name: string; geometry: Geometry } | null>(null);
  const schemas = useGeometrySchemas(room);
  const { data: frame } = useWholeFrame(room, useRestingStep(), opened);
  const choose = (kind: NewKind) => {
    const geometry = newGeometry(kind, structureOf(frame ?? NO_FRAME));
    setAdding({ name: freeKey(taken, kind), geometry });
  };
  const schema = adding && schemas.data?.[adding.geometry.type];
  if (adding && schema)
    return (
      <Box style={{ border: "1px solid var(--mantine-primary-color-filled)", borderRadius: 6 }}>
        <Suspense>
          <GeometryForm
            room={room}
            name={adding.name}
            taken={taken}
            geometry={adding.geometry}
            whole={schema}
            close={() => setAdding(null)}
          />
        </Suspense>
      </Box>
    );
  const hasVolumes = frame ? volumeKeys(frame).length > 0 : false;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={160}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} disabled={!schemas.data}>
          Add a geometry
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {NEW_KINDS.filter(({ kind }) => kind !== "isosurface" || hasVolumes).map(({ kind, label }) => (
          <Menu.Item key={kind} onClick={() => choose(kind)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
