// Advances playback: a step is taken when it is due and its frame is loaded; no frame is skipped.
import { useEffect } from "react";
import { advance, currentRoute, play, usePlayback } from "@/lib/room/playback";
import { along, isPlain, nextStep } from "@/lib/room/playbackFrames";
import type { Trajectory } from "@/lib/trajectory/trajectory";

export function usePlaybackTimer(trajectory: Trajectory): void {
  const playing = usePlayback((now) => now.playing);
  useEffect(() => {
    if (!playing) return;
    let due = performance.now();
    let request = 0;
    const tick = (now: number) => {
      request = requestAnimationFrame(tick);
      const { step, length, direction, ending, speed, waiting } = usePlayback.getState();
      if (now < due) return;
      const route = currentRoute();
      trajectory.upcoming = isPlain(route, length) ? null : (from, way) => along(route, from, way);
      const coming = nextStep(step, route, direction, ending);
      if (!coming) return play(false);
      if (!trajectory.frame(coming.step) && trajectory.lastError === null) {
        // Frames between two visited ones are not fetched, so the coming one has to be asked for.
        if (trajectory.upcoming) trajectory.ensureFrame(coming.step, coming.direction);
        else trajectory.ensureFrame(step, direction);
        if (!waiting && now > due + 250) usePlayback.setState({ waiting: true });
        return;
      }
      advance(coming);
      trajectory.ensureFrame(coming.step, coming.direction);
      // The next step is due relative to the last due time, which keeps the pace; relative to now after a delay.
      due = Math.max(due + 1000 / speed, now - 50);
    };
    request = requestAnimationFrame(tick);
    return () => {
      cancelAnimationFrame(request);
      trajectory.upcoming = null;
    };
  }, [playing, trajectory]);
}
