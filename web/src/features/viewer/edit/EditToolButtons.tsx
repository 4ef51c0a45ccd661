// The buttons of the editing tools in the toolbar. A button that cannot be used says why.
import { ActionIcon, Tooltip } from "@mantine/core";
import { type Icon, IconArrowsMove, IconRotate3d, IconVectorSpline } from "@tabler/icons-react";
import { useWriteBlockedReason } from "@/live/room/writeBlockedReason";
import { type EditTool, toggleTool, useEditing } from "./editStore";

export function EditToolButtons({ room }: { room: string }) {
  const blocked = useWriteBlockedReason(room, "trajectory");
  const undrawable = useWriteBlockedReason(room, "geometries");
  return (
    <>
      <EditButton
        tool="translate"
        label="Move the selected atoms (T)"
        icon={IconArrowsMove}
        blocked={blocked}
      />
      <EditButton tool="rotate" label="Turn the selected atoms (R)" icon={IconRotate3d} blocked={blocked} />
      <EditButton
        tool="draw"
        label="Draw points and curves (D)"
        icon={IconVectorSpline}
        blocked={undrawable}
      />
    </>
  );
}

function EditButton(props: { tool: EditTool; label: string; icon: Icon; blocked: string | null }) {
  const { tool, label, icon: Drawn, blocked } = props;
  const on = useEditing((now) => now.tool === tool);
  return (
    <Tooltip label={blocked ? `${label}: ${blocked}` : label} position="left">
      <ActionIcon
        aria-label={label}
        aria-pressed={on}
        aria-disabled={blocked !== null}
        data-disabled={blocked !== null || undefined}
        variant={on ? "light" : "subtle"}
        color={on ? "iris" : "gray"}
        onClick={() => blocked === null && toggleTool(tool)}
      >
        <Drawn size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
