// Undo and redo in the room's header, with their keys.
import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useSession } from "@/lib/api/session";
import { notifyError } from "@/lib/notifications";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useRoomInfo } from "@/live/queries";
import { changeToUndo, undoToTakeBack } from "./undoOrder";
import { type Change, useChanges } from "./useChanges";
import "./changes.css";

export default function UndoButtons({ room }: RoomPanelProps) {
  const info = useRoomInfo(room);
  const me = useSession((session) => session.user?.id) ?? "";
  const { page, undo } = useChanges(room);
  const changes = page.data ?? [];
  const [last, undone] = [changeToUndo(changes, me), undoToTakeBack(changes, me)];
  const { mutate, mutateAsync, isPending } = undo;
  const { refetch } = page;
  const pressed = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => {
    // A key may follow another change so soon that the list does not have it yet: it is fetched first.
    const undoNewest = async (redo: boolean) => {
      const { data = [] } = await refetch();
      const what = redo ? undoToTakeBack(data, me) : changeToUndo(data, me);
      if (what) await mutateAsync(targetOf(what));
    };
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
      if (target.isContentEditable || target.closest("input, textarea, select, [role=dialog]")) return;
      event.preventDefault();
      const redo = event.shiftKey;
      pressed.current = pressed.current.then(() => undoNewest(redo)).catch(tellRefusal);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [me, refetch, mutateAsync]);

  if (info.data?.rights === "read") return null;
  const button = (what: Change | null, label: string, keys: string, Icon: typeof IconArrowBackUp) => (
    <Tooltip label={what ? `${label}: ${what.label} (${keys})` : `${label} (${keys}): you changed nothing`}>
      <ActionIcon
        aria-label={label}
        disabled={!what}
        loading={
          isPending && what !== null && JSON.stringify(undo.variables) === JSON.stringify(targetOf(what))
        }
        onClick={() => what && mutate(targetOf(what), { onError: tellRefusal })}
      >
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Group gap={0} wrap="nowrap" className="wr-undo">
      {button(last, "Undo", "Ctrl Z", IconArrowBackUp)}
      {button(undone, "Redo", "Ctrl Shift Z", IconArrowForwardUp)}
    </Group>
  );
}

const targetOf = (change: Change) =>
  change.jobId && !change.undoOf ? { job: change.jobId } : { change: change.id };

const tellRefusal = (error: unknown) => notifyError(error, "Nothing was undone");
