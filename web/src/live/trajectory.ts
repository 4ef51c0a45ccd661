// The trajectory of a room, shared by everything on the page that shows it, kept in step by events.
import { useEffect, useRef, useState } from "react";
import { callJson, mayPass, roomPath } from "@/lib/api";
import { moved, usePlayback, within } from "@/lib/playback";
import { type FramesChanged, Trajectory } from "@/lib/trajectory/trajectory";
import { heardBy, onJoined, useRoomEvent } from "@/live/rooms";

interface RoomState {
  length: number;
  step: number;
  revision: number;
}

const LOOK_AGAIN_MS = 1_000;
const shared = new Map<string, { trajectory: Trajectory; users: number }>();

/** The room's trajectory, the same one for all who ask. Frames come too often for React: who shows them subscribes. */
export function useTrajectory(room: string): Trajectory {
  const [trajectory, setTrajectory] = useState(() => taken(room));
  useEffect(() => {
    const mine = taken(room);
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

function taken(room: string): Trajectory {
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
  const inStepBy = useRef<string | undefined>(undefined);

  useRoomEvent<FramesChanged>(room, "frames:changed", (change) => {
    const by = heardBy(room);
    trajectory.changed(change, { afterAll: by !== undefined && by === inStepBy.current });
    usePlayback.setState(({ step }) => ({
      length: trajectory.length,
      step: within(moved(step, change.splices), trajectory.length),
    }));
  });

  useEffect(() => {
    let current = true;
    let later: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(later);
      const by = heardBy(room);
      const { revision, length } = trajectory;
      const { step: shown } = usePlayback.getState();
      let state: RoomState;
      try {
        state = await callJson<RoomState>("GET", roomPath(room, "state"));
      } catch (error) {
        if (current && mayPass(error)) later = setTimeout(look, LOOK_AGAIN_MS);
        return;
      }
      if (!current) return;
      // What an event told meanwhile is newer than an answer from before it.
      const overtaken = trajectory.revision !== revision && state.revision <= trajectory.revision;
      if (!overtaken) trajectory.reset(state.length, state.revision);
      const first = revision === 0 && length === 0;
      if (by) inStepBy.current = by;
      usePlayback.setState(({ step, follow }) => ({
        length: trajectory.length,
        step: within((first || follow) && step === shown ? state.step : step, trajectory.length),
      }));
    };
    void look();
    // Once more when its events are heard, the first time and after each reconnect: until then they were missed.
    const stop = onJoined((joined) => {
      if (joined === room) void look();
    });
    return () => {
      current = false;
      inStepBy.current = undefined;
      clearTimeout(later);
      stop();
    };
  }, [room, trajectory]);
}
