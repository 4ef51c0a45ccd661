// The trajectory of a room, shared by all components of the page and updated by events.
import { useEffect, useRef, useState } from "react";
import { api, isTransient, type Schemas } from "@/lib/api/client";
import { clampStep, shiftStep, usePlayback } from "@/lib/room/playback";
import { type FramesChanged, Trajectory } from "@/lib/trajectory/trajectory";
import { joinedSocketId, onRoomJoined, useRoomEvent } from "@/live/room/roomMembership";
import type { SharedStep } from "@/live/room/sharedStep";

const RETRY_MS = 1_000;
const shared = new Map<string, { trajectory: Trajectory; users: number }>();

/** The shared trajectory of a room. Components subscribe to it, because frames arrive too often for React state. */
export function useTrajectory(room: string): Trajectory {
  const [trajectory, setTrajectory] = useState(() => sharedTrajectoryOf(room));
  useEffect(() => {
    const mine = sharedTrajectoryOf(room);
    setTrajectory(mine);
    shared.get(room)!.users++;
    return () => {
      const entry = shared.get(room);
      if (!entry) return;
      entry.users--;
      // A panel that is moved in the layout unmounts and mounts again at once.
      setTimeout(() => {
        if (entry.users > 0 || shared.get(room) !== entry) return;
        shared.delete(room);
        entry.trajectory.dispose();
      }, 5_000);
    };
  }, [room]);
  return trajectory;
}

function sharedTrajectoryOf(room: string): Trajectory {
  let entry = shared.get(room);
  if (!entry) {
    entry = { trajectory: new Trajectory(room), users: 0 };
    shared.set(room, entry);
  }
  return entry.trajectory;
}

/**
 * Applies events to the trajectory and to the steps of the room; mounted once, by the timeline. Returns whether the state of
 * the room is known.
 */
export function useTrajectoryEvents(room: string, steps: SharedStep): boolean {
  const [enteredRoom, setEnteredRoom] = useState<string | null>(null);
  const trajectory = useTrajectory(room);
  /** The socket id that has received all events since the last fetch of the state. */
  const syncedSocketId = useRef<string | undefined>(undefined);

  useRoomEvent<FramesChanged & { step: number; stepRevision: number }>(room, "frames:changed", (change) => {
    const wasEmpty = trajectory.length === 0;
    const by = joinedSocketId(room);
    trajectory.applyChange(change, { afterAll: by !== undefined && by === syncedSocketId.current });
    // The first frames of an empty room: the first one is shown.
    const shifted = (step: number) =>
      wasEmpty ? 0 : clampStep(shiftStep(step, change.splices), trajectory.length);
    usePlayback.setState(({ step }) => ({ length: trajectory.length, step: shifted(step) }));
    steps.framesChanged(change);
  });

  useEffect(() => {
    let current = true;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const fetchState = async () => {
      clearTimeout(retryTimer);
      const by = joinedSocketId(room);
      const { revision } = trajectory;
      const knownStep = steps.revision();
      let state: Schemas["RoomState"];
      try {
        state = (await api.GET("/api/rooms/{room}/state", { params: { path: { room } } })).data!;
      } catch (error) {
        if (current && isTransient(error)) retryTimer = setTimeout(fetchState, RETRY_MS);
        return;
      }
      if (!current) return;
      // An event that arrived meanwhile may be newer than this response.
      const overtaken = trajectory.revision !== revision && state.revision <= trajectory.revision;
      if (!overtaken) trajectory.reset(state.length, state.revision);
      if (by) syncedSocketId.current = by;
      usePlayback.setState(({ step }) => ({
        length: trajectory.length,
        step: clampStep(step, trajectory.length),
      }));
      steps.fetched(state, knownStep);
      setEnteredRoom(room);
    };
    void fetchState();
    // Fetch the state again after every join, because events before it were missed.
    const stop = onRoomJoined((joined) => {
      if (joined === room) void fetchState();
    });
    return () => {
      current = false;
      syncedSocketId.current = undefined;
      clearTimeout(retryTimer);
      stop();
    };
  }, [room, trajectory, steps]);
  return enteredRoom === room;
}
