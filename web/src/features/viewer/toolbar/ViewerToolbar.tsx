// The toolbar at the right edge of the stage.
import { ActionIcon, Popover, Tooltip } from "@mantine/core";
import {
  IconArrowUpRight,
  IconBox,
  IconCamera,
  IconCube3dSphere,
  IconCubeUnfolded,
  IconFocusCentered,
  IconHierarchy3,
  IconKeyboard,
  IconPalette,
  IconPerspective,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { ColourMenu, HelpMenu, StyleMenu, VectorMenu } from "./menus";
import { saveImage } from "./saveImage";

export function ViewerToolbar({ room, stage }: { room: string; stage: Stage }) {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  return (
    <div className="wr-viewer-tools" role="toolbar" aria-label="Viewer tools" aria-orientation="vertical">
      <Tool label="Fit to view (F)" onClick={() => stage.fit()}>
        <IconFocusCentered size={17} />
      </Tool>
      <Tool label="Perspective (O)" on={!style.flat} onClick={() => set({ flat: !style.flat })}>
        {style.flat ? <IconBox size={17} /> : <IconPerspective size={17} />}
      </Tool>
      <Tool label="Bonds (B)" on={style.bonds} onClick={() => set({ bonds: !style.bonds })}>
        <IconHierarchy3 size={17} />
      </Tool>
      <Tool label="Cell (C)" on={style.cell} onClick={() => set({ cell: !style.cell })}>
        <IconCubeUnfolded size={17} />
      </Tool>
      <Menu label="Atoms and bonds" icon={<IconCube3dSphere size={17} />}>
        <StyleMenu />
      </Menu>
      <Menu label="Colours" icon={<IconPalette size={17} />} on={style.colourBy !== null}>
        <ColourMenu room={room} />
      </Menu>
      <Menu label="Vectors" icon={<IconArrowUpRight size={17} />} on={style.vectors !== null}>
        <VectorMenu room={room} />
      </Menu>
      <Tool label="Save a picture (P)" onClick={() => void saveImage(stage)}>
        <IconCamera size={17} />
      </Tool>
      <Menu label="Keys and gestures" icon={<IconKeyboard size={17} />}>
        <HelpMenu />
      </Menu>
    </div>
  );
}

function Tool(props: { label: string; on?: boolean; onClick: () => void; children: ReactNode }) {
  const { label, on, onClick, children } = props;
  return (
    <Tooltip label={label} position="left">
      <ActionIcon
        aria-label={label}
        aria-pressed={on}
        variant={on ? "light" : "subtle"}
        color={on ? "iris" : "gray"}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function Menu({
  label,
  icon,
  on,
  children,
}: {
  label: string;
  icon: ReactNode;
  on?: boolean;
  children: ReactNode;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      position="left-start"
      shadow="md"
      width={270}
      trapFocus
      withinPortal
      opened={opened}
      onChange={setOpened}
    >
      <Popover.Target>
        <Tooltip label={label} position="left" disabled={opened}>
          <ActionIcon
            aria-label={label}
            onClick={() => setOpened(!opened)}
            variant={on ? "light" : "subtle"}
            color={on ? "iris" : "gray"}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="sm">{children}</Popover.Dropdown>
    </Popover>
  );
}
