import { Alert, Center } from "@mantine/core";
import { IconAtomOff } from "@tabler/icons-react";
import { useRef } from "react";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { usePlayback } from "@/lib/room/playback";
import { EmptyViewer } from "./EmptyViewer";
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
  const { stage, failure, lost, hover, box, legend, count, nowhere } = useStage(room, host);
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
          <Alert color="yellow" icon={<IconAtomOff size={18} />} title="The viewer is not available">
            {failure}
          </Alert>
        </Center>
      )}
      {lost && (
        <Center className="wr-viewer-notice">
          <Alert color="yellow">
            The browser took the graphics context away; the image returns in a moment.
          </Alert>
        </Center>
      )}
      {empty && !failure && <EmptyViewer room={room} />}
      {stage && !empty && (
        <>
          <ViewerToolbar room={room} stage={stage} />
          <Measurements stage={stage} />
          <AxesGizmo stage={stage} />
          <div className="wr-viewer-corner">
            <ColourLegend legend={legend} />
            <SelectionStatus count={count} nowhere={nowhere} />
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
