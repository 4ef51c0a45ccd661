// The button in the room's header that adds files to the room.
import { AddFileButton } from "@/components/AddFileButton";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useAddFiles } from "@/live/addFiles";

export default function AddFile({ room }: RoomPanelProps) {
  const { add, adding, readOnly } = useAddFiles(room);
  if (readOnly) return null;
  return <AddFileButton label="Add file" busy={adding} onFiles={add} size="xs" />;
}
