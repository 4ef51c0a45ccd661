// Saves the played frames as a movie, with progress.
import { Button, NumberInput, Progress, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { structureOf } from "@/lib/atoms/structure";
import { download } from "@/lib/download";
import { notifyError } from "@/lib/notifications";
import { currentRoute, play, usePlayback } from "@/lib/room/playback";
import { useTrajectory } from "@/live/sharedTrajectory";
import type { Stage } from "../stage/stage";
import { framesOf, type MovieFormat, recordMovie, webmObstacle } from "./recordMovie";

export function MovieMenu({ room, stage }: { room: string; stage: Stage }) {
  const trajectory = useTrajectory(room);
  const speed = usePlayback((now) => now.speed);
  const [format, setFormat] = useState<MovieFormat>("gif");
  const [framesPerSecond, setFramesPerSecond] = useState(Math.min(speed, 25));
  const [width, setWidth] = useState(640);
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null);
  const obstacle = useMemo(webmObstacle, []);
  const cancelled = useRef<AbortController | null>(null);
  useEffect(() => () => cancelled.current?.abort(), []);

  const save = async () => {
    play(false);
    const control = new AbortController();
    cancelled.current = control;
    const route = currentRoute();
    setProgress({ done: 0, all: framesOf(route).length });
    try {
      const movie = await recordMovie(stage, trajectory, {
        format,
        framesPerSecond,
        width,
        route,
        signal: control.signal,
        progress: (done, all) => setProgress({ done, all }),
      });
      if (movie) download(movie, `${room}.${format}`);
    } catch (error) {
      notifyError(error, "The movie was not saved");
    } finally {
      setProgress(null);
      const frame = trajectory.frame(usePlayback.getState().step);
      if (frame) stage.show(structureOf(frame));
    }
  };

  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Format"
        size="xs"
        fullWidth
        data={[
          { value: "gif", label: "GIF" },
          { value: "webm", label: "WebM", disabled: obstacle !== null },
        ]}
        value={format}
        onChange={(value) => setFormat(value as MovieFormat)}
      />
      {obstacle && (
        <Text size="xs" c="dimmed">
          WebM is not possible: {obstacle}
        </Text>
      )}
      <NumberInput
        label="Frames a second"
        min={1}
        max={50}
        value={framesPerSecond}
        onChange={(value) => typeof value === "number" && value >= 1 && setFramesPerSecond(value)}
      />
      <NumberInput
        label="Width in pixels"
        min={100}
        max={3840}
        step={80}
        value={width}
        onChange={(value) => typeof value === "number" && value >= 100 && setWidth(2 * Math.round(value / 2))}
      />
      <Text size="xs" c="dimmed">
        The played frames, seen from where you look now. “Frames that are played” in the timeline takes a part
        of them.
      </Text>
      {progress ? (
        <>
          <Progress
            value={(100 * progress.done) / Math.max(1, progress.all)}
            aria-label={`${progress.done} of ${progress.all} frames`}
          />
          <Button variant="default" onClick={() => cancelled.current?.abort()}>
            Cancel after {progress.done} of {progress.all} frames
          </Button>
        </>
      ) : (
        <Button onClick={() => void save()}>Save the movie</Button>
      )}
    </Stack>
  );
}
