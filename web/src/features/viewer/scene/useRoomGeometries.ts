// The room's geometries on the stage, kept in step with the room.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Vector3 } from "three";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { Stage } from "../stage/stage";
import { type Geometry, numberOr, type ParsedGeometries, parseGeometries } from "./parseGeometries";
import { SceneObjects } from "./sceneObjects";

/** What has to be fetched of each frame for the scene. */
export function useRoomGeometries(room: string, stage: Stage | null): readonly string[] {
  const { data } = useQuery({
    queryKey: queryKeys.geometries(room),
    queryFn: () => callJson<{ geometries: Record<string, Geometry> }>("GET", roomPath(room, "geometries")),
    select: ({ geometries }) => geometries,
  });
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
    const shown = parseGeometries(data);
    stage.setRoomAppearance(shown.appearance);
    objects.current?.set(shown.objects);
    if (stage.structure) objects.current?.show(stage.structure);
    setWanted((before) => (before.join() === shown.keys.join() ? before : shown.keys));
    const camera = JSON.stringify(shown.camera);
    if (shown.camera && camera !== appliedCamera.current) applyRoomCamera(stage, shown.camera);
    appliedCamera.current = camera;
  }, [stage, data]);

  return frameKeys;
}

/** Look from where the room's camera is; whoever turns the scene afterwards is on their own until it moves again. */
function applyRoomCamera(stage: Stage, camera: NonNullable<ParsedGeometries["camera"]>): void {
  const point = (given: unknown, otherwise: [number, number, number]) =>
    new Vector3(
      ...(Array.isArray(given) && given.length === 3 ? (given as [number, number, number]) : otherwise),
    );
  const [from, at] = [point(camera.position, [10, 10, 30]), point(camera.target, [0, 0, 0])];
  stage.lookFrom(from, at, point(camera.up, [0, 1, 0]), numberOr(camera.zoom, 1));
}
