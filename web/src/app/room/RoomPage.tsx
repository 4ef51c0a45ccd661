import { Box } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { strips } from "@/app/pieces";
import { Dock } from "@/app/room/Dock";
import { useRoomVisit } from "@/live/rooms";

const route = getRouteApi("/in/rooms/$room/");
const footers = strips("footer").map((piece) => ({ id: piece.id, Content: lazy(piece.load) }));

export default function RoomPage() {
  const { room } = route.useParams();
  useRoomVisit(room);
  return (
    <Box style={{ display: "flex", flexDirection: "column", height: "100%" }}>
      <Box style={{ flex: 1, minHeight: 0 }}>
        <Dock room={room} />
      </Box>
      {footers.map(({ id, Content }) => (
        <Suspense key={id}>
          <Content room={room} />
        </Suspense>
      ))}
    </Box>
  );
}
