// Saves the played frames as a movie.
import { Button, NumberInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { usePlayback } from "@/lib/room/playback";
import { useTrajectory } from "@/live/room/sharedTrajectory";
import type { Stage } from "../stage/stage";
import { saveMovie, useMovieExport } from "./movieExport";
import { type MovieFormat, webmObstacle } from "./recordMovie";

export function MovieMenu({ room, stage }: { room: string; stage: Stage }) {
  const trajectory = useTrajectory(room);
  const speed = usePlayback((now) => now.speed);
  const [format, setFormat] = useState<MovieFormat>("gif");
  const [framesPerSecond, setFramesPerSecond] = useState(Math.min(speed, 25));
  const [width, setWidth] = useState(640);
  const saving = useMovieExport((now) => now.movie !== null);
  const obstacle = useMemo(webmObstacle, []);

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
      {saving && (
        <Text size="xs" role="status">
          A movie is being saved. The top of the page shows how far it is; other panels and menus can be used
          meanwhile.
        </Text>
      )}
      {/* A disabled button would lose the focus, and Escape would not close the menu. */}
      <Button
        aria-disabled={saving}
        data-disabled={saving || undefined}
        onClick={() => !saving && void saveMovie(stage, trajectory, { format, framesPerSecond, width })}
      >
        Save the movie
      </Button>
    </Stack>
  );
}
