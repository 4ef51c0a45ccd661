// The room's geometries on the stage, kept in step with the room.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Vector3 } from "three";
import { callJson, roomPath } from "@/lib/api";
import { keys } from "@/lib/keys";
import type { Stage } from "../stage/stage";
import { Extras } from "./extras";
import { type Geometry, type Interpreted, interpret, number } from "./interpret";

/** What has to be fetched of each frame for the scene. */
export function useScene(room: string, stage: Stage | null): readonly string[] {
  const { data } = useQuery({
    queryKey: keys.geometries(room),
    queryFn: () => callJson<{ geometries: Record<string, Geometry> }>("GET", roomPath(room, "geometries")),
    select: ({ geometries }) => geometries,
  });
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const extras = useRef<Extras | null>(null);
  const seat = useRef("");

  useEffect(() => {
    if (!stage) return;
    const made = new Extras(stage);
    extras.current = made;
    const stop = stage.onShow((structure) => made.show(structure));
    return () => {
      stop();
      made.dispose();
      extras.current = null;
    };
  }, [stage]);

  useEffect(() => {
    if (!stage || !data) return;
    const shown = interpret(data);
    stage.setRoomLook(shown.look);
    extras.current?.set(shown.extras);
    if (stage.structure) extras.current?.show(stage.structure);
    setWanted((before) => (before.join() === shown.keys.join() ? before : shown.keys));
    const camera = JSON.stringify(shown.camera);
    if (shown.camera && camera !== seat.current) takeSeat(stage, shown.camera);
    seat.current = camera;
  }, [stage, data]);

  return wanted;
}

/** Look from where the room's camera is; whoever turns the scene afterwards is on their own until it moves again. */
function takeSeat(stage: Stage, camera: NonNullable<Interpreted["camera"]>): void {
  const point = (given: unknown, otherwise: [number, number, number]) =>
    new Vector3(
      ...(Array.isArray(given) && given.length === 3 ? (given as [number, number, number]) : otherwise),
    );
  const [from, at] = [point(camera.position, [10, 10, 30]), point(camera.target, [0, 0, 0])];
  stage.lookFrom(from, at, point(camera.up, [0, 1, 0]), number(camera.zoom, 1));
}
