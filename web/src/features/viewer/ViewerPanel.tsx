import { Alert, Center } from "@mantine/core";
import { IconAtomOff } from "@tabler/icons-react";
import { useMemo, useRef } from "react";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { usePlayback } from "@/lib/room/playback";
import { SelectionOwnerNote } from "@/live/room/SelectionOwnerNote";
import { type SharedCamera, useSharedCamera } from "@/live/room/sharedCamera";
import { EmptyViewer } from "./EmptyViewer";
import { ActiveToolCard } from "./edit/ActiveToolCard";
import { AtomLabels } from "./overlays/AtomLabels";
import { AxesGizmo } from "./overlays/AxesGizmo";
import { ColourLegend } from "./overlays/ColourLegend";
import { FollowBadge } from "./overlays/FollowBadge";
import { HoverCard } from "./overlays/HoverCard";
import { Measurements } from "./overlays/Measurements";
import { SelectionStatus } from "./overlays/SelectionStatus";
import type { Stage } from "./stage/stage";
import { useViewerShortcuts } from "./toolbar/useViewerShortcuts";
import { ViewerToolbar } from "./toolbar/ViewerToolbar";
import { useStage } from "./useStage";
import { useThumbnail } from "./useThumbnail";
import "./viewer.css";

export default function ViewerPanel({ room }: RoomPanelProps) {
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const { stage, failure, lost, hover, outline, legend, count, nowhere, hidden } = useStage(room, host);
  const empty = usePlayback((now) => now.room === room && now.length === 0);
  useViewerShortcuts(room, panel, stage);
  useSharedCamera(
    room,
    useMemo(() => stage && sharedCamera(stage), [stage]),
  );
  useThumbnail(room, stage);

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
          <ActiveToolCard room={room} stage={stage} />
          <Measurements room={room} stage={stage} />
          <AtomLabels stage={stage} />
          <AxesGizmo stage={stage} />
          <FollowBadge room={room} />
          <div className="wr-viewer-corner">
            {hover && <HoverCard room={room} stage={stage} hover={hover} />}
            <ColourLegend legend={legend} />
            <div className="wr-viewer-note">
              <SelectionOwnerNote room={room} />
            </div>
            <SelectionStatus count={count} nowhere={nowhere} hidden={hidden} />
          </div>
        </>
      )}
      {outline && (
        <svg className="wr-viewer-outline" aria-hidden="true">
          <polygon points={outline.map(({ x, y }) => `${x},${y}`).join(" ")} />
        </svg>
      )}
    </section>
  );
}

function sharedCamera(stage: Stage): SharedCamera {
  return {
    view: () => stage.orbitCamera.state,
    place: (view) => stage.placeCamera(view),
    release: () => stage.releaseCamera(),
    onDrawn: (listener) => stage.onDrawn(listener),
  };
}
