// Draws points and curves, and edits those of the room. A new one is written when it is finished; each edit of one that exists is
// written at once.
import { Button, Select, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { queryKeys } from "@/lib/api/queryKeys";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { notifyError } from "@/lib/notifications";
import { useWriteBlockedReason } from "@/live/room/writeBlockedReason";
import { useGeometries } from "../geometries/useGeometries";
import type { Geometry } from "../scene/splitGeometries";
import type { Point } from "../stage/layers/cylinders";
import type { Stage } from "../stage/stage";
import { EditCard } from "./EditCard";
import { editGeometry } from "./editGeometry";
import { draw, drawNew, setTool, undoPoint, useEditing } from "./editStore";
import { NewShape } from "./NewShape";
import { PointList } from "./PointList";
import { PointDrawer } from "./pointDrawer";
import { editedPoints, freeKey, geometryOf, keyRefusal, shapeOf, shapeRefusal } from "./pointGeometry";
import { useDrawKeys } from "./useDrawKeys";

const NEW = "";

export function DrawCard({ room, stage }: { room: string; stage: Stage }) {
  const client = useQueryClient();
  const blocked = useWriteBlockedReason(room, "geometries");
  const geometries = useGeometries(room).data;
  const drawing = useEditing((now) => now.drawing);
  const drawer = useRef<PointDrawer | null>(null);
  const { key, chosen, kind, points, smooth, closed } = drawing;
  const existing = key === null ? null : geometries?.[key];
  const shape = useMemo(
    () => (existing ? shapeOf(existing) : { kind, points, data: kind === "curve" ? { smooth, closed } : {} }),
    [existing, kind, points, smooth, closed],
  );

  const write = async (name: string, edit: (now: Geometry | null) => Geometry | null) => {
    try {
      const written = await editGeometry(room, name, edit);
      client.setQueryData(queryKeys.geometries(room), { geometries: written });
      return true;
    } catch (error) {
      notifyError(error, "Nothing was drawn");
      if (shape) drawer.current?.show({ ...shape, chosen });
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: queryKeys.geometries(room) });
    }
  };

  /** Set the points of the new geometry, or write those of one that exists. */
  const change = (after: readonly Point[], next: number | null) => {
    draw(key === null ? { points: after, chosen: next } : { chosen: next });
    if (key !== null && shape) void write(key, (now) => editedPoints(now, shape.points, after));
  };

  const taken = Object.keys(geometries ?? {});
  const name = drawing.name ?? freeKey(taken, kind);
  const refusal = shapeRefusal(drawing) ?? keyRefusal(name, taken);
  const finish = async () => {
    if (key !== null || refusal || !shape) return;
    const create = (now: Geometry | null) => {
      if (now) throw new Error("The room has a geometry of this name. Choose another one.");
      return geometryOf(shape);
    };
    if (await write(name, create)) setTool(null);
  };

  const latest = useRef({ shape, key, change });
  latest.current = { shape, key, change };
  useEffect(() => {
    if (blocked) return;
    const made = new PointDrawer(stage, {
      placed: (point) => {
        const { shape: now, key: edited, change: set } = latest.current;
        if (edited === null && now) set([...now.points, point], null);
        else draw({ chosen: null });
      },
      chose: (index) => draw({ chosen: index }),
      moved: (index, to) => {
        const { shape: now, change: set } = latest.current;
        if (now) set(now.points.with(index, to), index);
      },
    });
    drawer.current = made;
    return () => {
      made.dispose();
      drawer.current = null;
    };
  }, [stage, blocked]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawer knows no shape
  useEffect(() => {
    if (shape) drawer.current?.show({ ...shape, chosen });
  }, [shape, chosen, stage, blocked]);

  useEffect(() => {
    // Another client removed the geometry, or an undo did.
    if (key !== null && geometries && !shape) drawNew();
  }, [key, geometries, shape]);

  useDrawKeys(key === null && blocked === null, undoPoint, () => void finish());

  const editable = Object.entries(geometries ?? {}).filter(([, one]) => shapeOf(one));
  return (
    <EditCard title="Draw points and curves" blocked={blocked}>
      {editable.length > 0 && (
        <Select
          aria-label="Geometry"
          size="xs"
          allowDeselect={false}
          comboboxProps={DROPDOWN_IN_POPOVER}
          data={[
            { value: NEW, label: "A new one" },
            ...editable.map(([its]) => ({ value: `=${its}`, label: its })),
          ]}
          value={key === null ? NEW : `=${key}`}
          onChange={(picked) => (picked ? draw({ key: picked.slice(1), chosen: null }) : drawNew())}
        />
      )}
      {key === null && <NewShape name={name} />}
      <Text size="xs" c="dimmed">
        {key === null
          ? "Click an atom or any other place to set a point; click a point to move it."
          : "Click a point to move it."}
      </Text>
      {shape && <PointList points={shape.points} chosen={chosen} change={change} adds={key === null} />}
      {key === null ? (
        <>
          <Button size="compact-sm" disabled={refusal !== null} onClick={() => void finish()}>
            Finish (Enter)
          </Button>
          {refusal && points.length > 0 && (
            <Text size="xs" c="dimmed">
              {refusal}
            </Text>
          )}
        </>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          color="red"
          onClick={async () => {
            const removed = await write(key, (now) => {
              if (!now) throw new Error("The geometry was removed in the meantime.");
              return null;
            });
            if (removed) drawNew();
          }}
        >
          Delete {key}
        </Button>
      )}
    </EditCard>
  );
}
