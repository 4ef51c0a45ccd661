import { Alert, Center, Stack, Text } from "@mantine/core";
import { IconAtomOff } from "@tabler/icons-react";
import { useRef } from "react";
import type { RoomPieceProps } from "@/lib/panels";
import { usePlayback } from "@/lib/playback";
import { Axes } from "./Axes";
import { HoverCard } from "./HoverCard";
import { Legend } from "./Legend";
import { Measures } from "./Measures";
import { Status } from "./Status";
import { Tools } from "./Tools";
import { useStage } from "./useStage";
import { useViewerKeys } from "./useViewerKeys";
import "./viewer.css";

export default function ViewerPanel({ room }: RoomPieceProps) {
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const { stage, failure, lost, hover, box, legend, count } = useStage(room, host);
  const empty = usePlayback((now) => now.room === room && now.length === 0);
  useViewerKeys(panel, stage);

  return (
    <section
      className="wr-viewer"
      ref={panel}
      aria-label="Scene"
      tabIndex={0}
      data-empty={empty || undefined}
    >
      <div className="wr-stage" ref={host} />
      {failure && (
        <Center className="wr-viewer-notice">
          <Alert color="yellow" icon={<IconAtomOff size={18} />} title="Nothing can be drawn here">
            {failure}
          </Alert>
        </Center>
      )}
      {lost && (
        <Center className="wr-viewer-notice">
          <Alert color="yellow">
            The graphics card took its memory back; the picture returns in a moment.
          </Alert>
        </Center>
      )}
      {empty && !failure && <Empty />}
      {stage && !empty && (
        <>
          <Tools room={room} stage={stage} />
          <Measures stage={stage} />
          <Axes stage={stage} />
          <div className="wr-viewer-corner">
            <Legend legend={legend} />
            <Status count={count} />
          </div>
          {hover && <HoverCard room={room} stage={stage} hover={hover} />}
        </>
      )}
      {box && (
        <div
          className="wr-viewer-box"
          style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
        />
      )}
    </section>
  );
}

function Empty() {
  return (
    <Center className="wr-viewer-notice">
      <Stack gap={4} align="center" maw={420} ta="center">
        <Text fw={600}>No structures yet</Text>
        <Text size="sm" c="dimmed">
          Drop a file onto this page, run a modifier, or add frames from Python:
        </Text>
        <code className="wr-viewer-code">
          Room("{usePlayback.getState().room}").extend(ase.io.read("file.xyz", ":"))
        </code>
      </Stack>
    </Center>
  );
}
