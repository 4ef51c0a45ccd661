// Parent of all pages of a room: loads the room, and joins it so that the page receives its events.
import { Center, Loader } from "@mantine/core";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { NotFound } from "@/components/NotFound";
import { isNotFound } from "@/lib/api/client";
import { useRecentRooms } from "@/lib/room/recentRooms";
import { useRoomInfo } from "@/live/queries";
import { useJoinRoom } from "@/live/room/roomMembership";

export default function RoomLoader() {
  const { room } = useParams({ from: "/in/rooms/$room" });
  const info = useRoomInfo(room);
  useJoinRoom(room);
  const { visit, forget } = useRecentRooms.getState();
  const found = info.data !== undefined;
  const gone = isNotFound(info.error);

  useEffect(() => {
    if (found) visit(room);
    if (gone) forget(room);
  }, [found, gone, room, visit, forget]);

  if (gone)
    return <NotFound>There is no room {room}, or it is private and you are not one of its members.</NotFound>;
  if (info.isLoadingError) return <ErrorAlert error={info.error} onRetry={() => info.refetch()} />;
  if (!found)
    return (
      <Center h="100%">
        <Loader size="sm" role="status" aria-label="Loading" />
      </Center>
    );
  return <Outlet />;
}
