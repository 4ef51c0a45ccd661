// Shows the geometries of the room on the stage and follows their changes.
import { useEffect, useRef, useState } from "react";
import { Vector3 } from "three";
import { useEditing } from "../edit/editStore";
import { useGeometries } from "../geometries/useGeometries";
import type { Stage } from "../stage/stage";
import { SceneObjects } from "./sceneObjects";
import { numberOr, type SplitGeometries, splitGeometries } from "./splitGeometries";

/** Returns the frame keys that the geometries need. */
export function useRoomGeometries(room: string, stage: Stage | null): readonly string[] {
  const { data } = useGeometries(room);
  // The tool that edits a geometry draws it.
  const edited = useEditing(({ tool, drawing }) => (tool === "draw" ? drawing.key : null));
  const [frameKeys, setWanted] = useState<readonly string[]>([]);
  const objects = useRef<SceneObjects | null>(null);
  const appliedCamera = useRef("");

  useEffect(() => {
    if (!stage) return;
    const made = new SceneObjects(stage);
    objects.current = made;
    const stop = stage.onShow((structure) => made.show(structure));
    return () => {
      stop();
      made.dispose();
      objects.current = null;
    };
  }, [stage]);

  useEffect(() => {
    if (!stage || !data) return;
    const shown = splitGeometries(data);
    stage.setRoomAppearance(shown.appearance);
    objects.current?.set(new Map([...shown.objects].filter(([key]) => key !== edited)));
    if (stage.structure) objects.current?.show(stage.structure);
    setWanted((before) => (before.join() === shown.keys.join() ? before : shown.keys));
    const camera = JSON.stringify(shown.camera);
    if (shown.camera && camera !== appliedCamera.current) applyRoomCamera(stage, shown.camera);
    appliedCamera.current = camera;
  }, [stage, data, edited]);

  return frameKeys;
}

/** Moves the camera to the room's camera. The user may turn the scene until the room's camera changes again. */
function applyRoomCamera(stage: Stage, camera: NonNullable<SplitGeometries["camera"]>): void {
  const point = (given: unknown, otherwise: [number, number, number]) =>
    new Vector3(
      ...(Array.isArray(given) && given.length === 3 ? (given as [number, number, number]) : otherwise),
    );
  const [from, at] = [point(camera.position, [10, 10, 30]), point(camera.target, [0, 0, 0])];
  stage.lookFrom(from, at, point(camera.up, [0, 1, 0]), numberOr(camera.zoom, 1));
}
