// The content of a room: its panels, and the footers below them. Narrow screens show one panel at a time.
import { VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { PanelDock } from "@/app/room/PanelDock";
import { PanelSkipLinks } from "@/app/room/PanelSkipLinks";
import { PanelBar, PanelStack, usePanelStack } from "@/app/room/PanelStack";
import { usePanelDock } from "@/app/room/panelDockCommands";
import { strips } from "@/app/room/panelRegistry";
import { useTour } from "@/app/room/tourSteps";
import { FileDropZone } from "@/components/FileDropZone";
import { signInLink } from "@/lib/api/oneTimeCodeSignIn";
import { usePageTitle } from "@/lib/pageTitle";
import { NARROW_SCREEN } from "@/lib/room/panelDefinition";
import { useAddFiles } from "@/live/room/addFiles";

const Tour = lazy(() => import("@/app/room/Tour"));
const footers = strips("footer").map((piece) => ({ id: piece.id, Content: lazy(piece.load) }));

export default function RoomPage() {
  const { room } = useParams({ from: "/in/rooms/$room" });
  const { ext, frame } = useSearch({ from: "/in/rooms/$room/" });
  const narrow = useMediaQuery(NARROW_SCREEN, undefined, { getInitialValueInEffect: false });
  const { add } = useAddFiles(room);
  usePageTitle(room);
  useEffect(() => {
    if (ext) usePanelDock.getState().show("extensions");
  }, [ext]);
  useEffect(() => {
    if (frame !== undefined) usePanelDock.getState().show("viewer");
  }, [frame]);
  const touring = useTour((tour) => tour.step !== null);
  useEffect(() => {
    if (!signInLink.tour) return;
    signInLink.tour = false;
    useTour.getState().start();
  }, []);
  return (
    <FileDropZone
      onDrop={add}
      hint="Drop to add to this room"
      style={{ display: "flex", flexDirection: "column", height: "100%" }}
    >
      <VisuallyHidden>
        <h1>Room {room}</h1>
      </VisuallyHidden>
      <PanelSkipLinks />
      {narrow ? <Narrow room={room} /> : <Wide room={room} />}
      {touring && (
        <Suspense>
          <Tour />
        </Suspense>
      )}
    </FileDropZone>
  );
}

function Wide({ room }: { room: string }) {
  return (
    <>
      <div style={{ flex: 1, minHeight: 0 }}>
        <PanelDock room={room} />
      </div>
      <Footers room={room} />
    </>
  );
}

function Narrow({ room }: { room: string }) {
  const stack = usePanelStack();
  return (
    <>
      <div style={{ flex: 1, minHeight: 0 }}>
        <PanelStack room={room} {...stack} />
      </div>
      <Footers room={room} />
      <PanelBar room={room} active={stack.active} />
    </>
  );
}

function Footers({ room }: { room: string }) {
  return footers.map(({ id, Content }) => (
    <Suspense key={id}>
      <Content room={room} />
    </Suspense>
  ));
}
