// Whatever is shown of a room: it must exist for whoever looks, and its events are heard.
import { Center, Loader } from "@mantine/core";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { Lost } from "@/app/Lost";
import { Trouble } from "@/components/ErrorNotice";
import { Problem } from "@/lib/api";
import { useRecent } from "@/lib/recent";
import { useRoomInfo } from "@/live/queries";
import { useRoomVisit } from "@/live/rooms";

export default function RoomLayout() {
  const { room } = useParams({ strict: false }) as { room: string };
  const info = useRoomInfo(room);
  useRoomVisit(room);
  const { visit, forget } = useRecent.getState();
  const found = info.isSuccess;
  const gone = info.error instanceof Problem && info.error.status === 404;

  useEffect(() => {
    if (found) visit(room);
    if (gone) forget(room);
  }, [found, gone, room, visit, forget]);

  if (gone) return <Lost />;
  if (info.error) return <Trouble error={info.error} again={() => info.refetch()} />;
  if (!found)
    return (
      <Center h="100%">
        <Loader size="sm" role="status" aria-label="Loading" />
      </Center>
    );
  return <Outlet />;
}
