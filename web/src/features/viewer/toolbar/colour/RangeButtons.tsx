// The range of the colours: of the shown frame, or of all frames, so that colours mean the same in each of them.
import { Button, Group, Loader, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { AUTOMATIC_MAP, colourMap, type Range, rangeOf } from "@/lib/atoms/colourmaps";
import { scalarsOf } from "@/lib/atoms/structure";
import { count } from "@/lib/format";
import { isArray, readFrames } from "@/lib/frames";
import { notifyError } from "@/lib/notifications";
import { usePlayback } from "@/lib/room/playback";
import { useViewerSettings } from "../../viewerSettings";

/** Of longer trajectories frames in equal distances are read. */
const MOST_FRAMES = 200;
const MOST_VALUES = 4_000_000;

interface RangeButtonsProps {
  room: string;
  colourBy: string;
  /** How many atoms the frames have: of large structures fewer frames are read. */
  atoms: number;
}

export function RangeButtons({ room, colourBy, atoms }: RangeButtonsProps) {
  const set = useViewerSettings((now) => now.set);
  const map = useViewerSettings((now) => now.style.colourMap);
  const diverging = map === AUTOMATIC_MAP || colourMap(map).diverging;
  const length = usePlayback((now) => now.length);
  const step = stepOf(length, atoms);
  const read = useMutation({
    mutationFn: () => rangeOfFrames(room, colourBy, step, diverging),
    onSuccess: (range) => set({ range }),
    onError: (error) => notifyError(error, "The frames could not be read"),
  });
  const some = Math.ceil(length / step);
  return (
    <div>
      <Group grow gap="xs">
        <Button variant="default" onClick={() => set({ range: null })}>
          This frame
        </Button>
        {/* A disabled button would lose the focus, and Escape would not close the menu. */}
        <Button
          variant="default"
          aria-busy={read.isPending}
          leftSection={read.isPending ? <Loader size={12} /> : undefined}
          onClick={() => !read.isPending && read.mutate()}
        >
          {step === 1 ? "All frames" : `${count(some)} frames`}
        </Button>
      </Group>
      {step > 1 && (
        <Text size="xs" c="dimmed" mt={4}>
          The range of {count(some)} of the {count(length)} frames, in equal distances: others may have values
          outside of it.
        </Text>
      )}
    </div>
  );
}

/** Each how many frames one is read. */
function stepOf(length: number, atoms: number): number {
  const frames = Math.max(2, Math.min(MOST_FRAMES, Math.floor(MOST_VALUES / Math.max(1, atoms))));
  return Math.max(1, Math.ceil(length / frames));
}

async function rangeOfFrames(
  room: string,
  key: string,
  step: number,
  diverging: boolean,
): Promise<Range | null> {
  const { length } = usePlayback.getState();
  const { data } = await api.GET("/api/rooms/{room}/frames", {
    params: { path: { room }, query: { start: 0, stop: length, step, keys: [key] } },
    parseAs: "stream",
  });
  const ends: number[] = [];
  for await (const frame of data ? readFrames(data) : []) {
    const array = frame.get(key);
    const scalars = isArray(array) ? scalarsOf({ frame, count: array.shape[0] ?? 0 }, key) : null;
    if (!scalars?.some(Number.isFinite)) continue;
    const { min, max } = rangeOf(scalars, false);
    ends.push(min, max);
  }
  if (ends.length === 0) return null;
  const { min, max } = rangeOf(ends, diverging);
  return { min: readable(min), max: readable(max) };
}

/** As many digits as the fields of the range can show. */
function readable(value: number): number {
  return Number(value.toPrecision(4));
}
