// The settings of a room: owners change them, other members read them.
import { Loader, Stack } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { useRoomInfo } from "@/live/queries";
import { CopyAndDelete } from "./CopyAndDelete";
import { GeneralSettings } from "./GeneralSettings";
import { LinkSettings } from "./LinkSettings";
import { MemberSettings } from "./MemberSettings";
import { RoomQuotas } from "./RoomQuotas";
export default function RoomSettingsPage() {
  const { room } = useParams({ from: "/in/rooms/$room/settings" });
  const info = useRoomInfo(room);
  if (!info.data) return <Loader m="xl" size="sm" role="status" aria-label="Loading" />;
  const owns = info.data.rights === "own";
  return (
    <Page
      title={room}
      subtitle={
        <>
          Created by {info.data.owner ?? "a former user"} <RelativeTime at={info.data.createdAt} />.{" "}
          {owns ? "You own it." : `You may ${info.data.rights === "write" ? "read and write" : "read"} here.`}
        </>
      }
    >
      <Stack gap="md" maw={860}>
        <GeneralSettings key={info.data.updatedAt} room={info.data} owns={owns} />
        <MemberSettings room={room} owns={owns} />
        {owns && <LinkSettings room={room} />}
        <RoomQuotas room={room} />
        <CopyAndDelete room={info.data} owns={owns} />
      </Stack>
    </Page>
  );
}
