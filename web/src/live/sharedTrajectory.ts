// The trajectory of a room, shared by everything on the page that shows it, kept in step by events.
import { useEffect, useRef, useState } from "react";
import { callJson, isTransient, roomPath } from "@/lib/api/client";
import { clampStep, shiftStep, usePlayback } from "@/lib/room/playback";
import { type FramesChanged, Trajectory } from "@/lib/trajectory/trajectory";
import { joinedSocketId, onRoomJoined, useRoomEvent } from "@/live/roomMembership";

interface RoomState {
  length: number;
  step: number;
  revision: number;
}

const RETRY_MS = 1_000;
const shared = new Map<string, { trajectory: Trajectory; users: number }>();

/** The room's trajectory, the same one for all who ask. Frames come too often for React: who shows them subscribes. */
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
      // Panels that move in the layout leave and come back at once.
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

/** Follow what happens to the trajectory; mounted once, where the timeline is. */
export function useTrajectoryEvents(room: string): void {
  const trajectory = useTrajectory(room);
  /** The connection by which everything was heard since this page last looked. */
  const syncedSocketId = useRef<string | undefined>(undefined);

  useRoomEvent<FramesChanged>(room, "frames:changed", (change) => {
    const by = joinedSocketId(room);
    trajectory.applyChange(change, { afterAll: by !== undefined && by === syncedSocketId.current });
    usePlayback.setState(({ step }) => ({
      length: trajectory.length,
      step: clampStep(shiftStep(step, change.splices), trajectory.length),
    }));
  });

  useEffect(() => {
    let current = true;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const fetchState = async () => {
      clearTimeout(retryTimer);
      const by = joinedSocketId(room);
      const { revision, length } = trajectory;
      const { step: shown } = usePlayback.getState();
      let state: RoomState;
      try {
        state = await callJson<RoomState>("GET", roomPath(room, "state"));
      } catch (error) {
        if (current && isTransient(error)) retryTimer = setTimeout(fetchState, RETRY_MS);
        return;
      }
      if (!current) return;
      // What an event told meanwhile is newer than an answer from before it.
      const overtaken = trajectory.revision !== revision && state.revision <= trajectory.revision;
      if (!overtaken) trajectory.reset(state.length, state.revision);
      const first = revision === 0 && length === 0;
      if (by) syncedSocketId.current = by;
      usePlayback.setState(({ step, follow }) => ({
        length: trajectory.length,
        step: clampStep((first || follow) && step === shown ? state.step : step, trajectory.length),
      }));
    };
    void fetchState();
    // Once more when its events are heard, the first time and after each reconnect: until then they were missed.
    const stop = onRoomJoined((joined) => {
      if (joined === room) void fetchState();
    });
    return () => {
      current = false;
      syncedSocketId.current = undefined;
      clearTimeout(retryTimer);
      stop();
    };
  }, [room, trajectory]);
}
