// The trajectory of a room, shared by everything on the page that shows it, kept in step by events.
import { useEffect, useState } from "react";
import { callJson, roomPath } from "@/lib/api";
import { moved, usePlayback, within } from "@/lib/playback";
import { type FramesChanged, Trajectory } from "@/lib/trajectory/trajectory";
import { useRoomEvent } from "@/live/rooms";
import { connection } from "@/live/socket";

interface RoomState {
  length: number;
  step: number;
  revision: number;
}

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

  useRoomEvent<FramesChanged>(room, "frames:changed", (change) => {
    trajectory.changed(change);
    usePlayback.setState(({ step }) => ({
      length: trajectory.length,
      step: within(moved(step, change.splices), trajectory.length),
    }));
  });

  useEffect(() => {
    let current = true;
    const look = async () => {
      const state = await callJson<RoomState>("GET", roomPath(room, "state")).catch(() => null);
      if (!current || !state) return;
      const first = trajectory.revision === 0 && trajectory.length === 0;
      trajectory.reset(state.length, state.revision);
      usePlayback.setState(({ step, follow }) => ({
        length: state.length,
        step: within(first || follow ? state.step : step, state.length),
      }));
    };
    void look();
    // Events were missed while the connection was gone.
    const socket = connection();
    socket.on("connect", look);
    return () => {
      current = false;
      socket.off("connect", look);
    };
  }, [room, trajectory]);
}
