import { Alert, Center, Stack, Text } from "@mantine/core";
import { IconAtomOff } from "@tabler/icons-react";
import { useRef } from "react";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { usePlayback } from "@/lib/room/playback";
import { AxesGizmo } from "./overlays/AxesGizmo";
import { ColourLegend } from "./overlays/ColourLegend";
import { HoverCard } from "./overlays/HoverCard";
import { Measurements } from "./overlays/Measurements";
import { SelectionStatus } from "./overlays/SelectionStatus";
import { useViewerShortcuts } from "./toolbar/useViewerShortcuts";
import { ViewerToolbar } from "./toolbar/ViewerToolbar";
import { useStage } from "./useStage";
import "./viewer.css";

export default function ViewerPanel({ room }: RoomPanelProps) {
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const { stage, failure, lost, hover, box, legend, count } = useStage(room, host);
  const empty = usePlayback((now) => now.room === room && now.length === 0);
  useViewerShortcuts(panel, stage);

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
          <ViewerToolbar room={room} stage={stage} />
          <Measurements stage={stage} />
          <AxesGizmo stage={stage} />
          <div className="wr-viewer-corner">
            <ColourLegend legend={legend} />
            <SelectionStatus count={count} />
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
