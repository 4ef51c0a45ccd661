// Advances playback: a step is taken when it is due and its frame is loaded; no frame is skipped.
import { useEffect } from "react";
import { advance, nextStep, play, usePlayback } from "@/lib/room/playback";
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
      const coming = nextStep(step, length, direction, ending);
      if (!coming) return play(false);
      if (!trajectory.frame(coming.step) && trajectory.lastError === null) {
        trajectory.ensureFrame(step, direction);
        if (!waiting && now > due + 250) usePlayback.setState({ waiting: true });
        return;
      }
      advance(coming);
      trajectory.ensureFrame(coming.step, coming.direction);
      // The next step is due relative to the last due time, which keeps the pace; relative to now after a delay.
      due = Math.max(due + 1000 / speed, now - 50);
    };
    request = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(request);
  }, [playing, trajectory]);
}
