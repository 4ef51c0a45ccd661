// The button in the room's header that adds files to the room.
import { useMediaQuery } from "@mantine/hooks";
import { AddFileButton } from "@/components/AddFileButton";
import { NARROW_SCREEN, type RoomPanelProps } from "@/lib/room/panelDefinition";
import { useAddFiles } from "@/live/room/addFiles";

export default function AddFile({ room }: RoomPanelProps) {
  const { add, adding, readOnly } = useAddFiles(room);
  const narrow = useMediaQuery(NARROW_SCREEN, undefined, { getInitialValueInEffect: false });
  if (readOnly) return null;
  return <AddFileButton label="Add file" short={narrow} busy={adding} onFiles={add} size="xs" />;
}
