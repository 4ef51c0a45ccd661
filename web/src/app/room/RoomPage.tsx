// The content of a room: the dock with its panels, and the footers below it.
import { useDocumentTitle } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { PanelDock } from "@/app/room/PanelDock";
import { strips } from "@/app/room/panelRegistry";
import { FileDropZone } from "@/components/FileDropZone";
import { useAddFiles } from "@/live/addFiles";

const footers = strips("footer").map((piece) => ({ id: piece.id, Content: lazy(piece.load) }));

export default function RoomPage() {
  const { room } = useParams({ from: "/in/rooms/$room" });
  useDocumentTitle(`${room} · Workroom`);
  const { add } = useAddFiles(room);
  return (
    <FileDropZone
      onDrop={add}
      hint="Drop to add to this room"
      style={{ display: "flex", flexDirection: "column", height: "100%" }}
    >
      <div style={{ flex: 1, minHeight: 0 }}>
        <PanelDock room={room} />
      </div>
      {footers.map(({ id, Content }) => (
        <Suspense key={id}>
          <Content room={room} />
        </Suspense>
      ))}
    </FileDropZone>
  );
}
