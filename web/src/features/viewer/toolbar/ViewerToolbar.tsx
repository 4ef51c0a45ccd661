// The toolbar at the right edge of the stage.
import { ActionIcon, Popover, Tooltip } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import {
  IconArrowUpRight,
  IconBox,
  IconBulb,
  IconCamera,
  IconCube3dSphere,
  IconCubeUnfolded,
  IconEye,
  IconFocusCentered,
  IconHierarchy3,
  IconKeyboard,
  IconLasso,
  IconMovie,
  IconPalette,
  IconPerspective,
  IconPointer,
} from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { EditToolButtons } from "../edit/EditToolButtons";
import { MovieMenu } from "../movie/MovieMenu";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { toggleLasso, useVisibility } from "../visibilityStore";
import { ColourMenu } from "./colour/ColourMenu";
import { DisplayMenu } from "./DisplayMenu";
import { HelpMenu } from "./HelpMenu";
import { PictureMenu } from "./picture/PictureMenu";
import { SelectMenu } from "./SelectMenu";
import { StyleMenu } from "./StyleMenu";
import { VectorMenu } from "./VectorMenu";

const LookMenu = lazy(() => import("./LookMenu"));

export function ViewerToolbar({ room, stage }: { room: string; stage: Stage }) {
  const style = useViewerSettings((now) => now.style);
  const set = useViewerSettings((now) => now.set);
  const lasso = useVisibility((now) => now.lasso);
  const partial = useVisibility(
    ({ hiddenElements, hiddenAtoms, slice }) => hiddenElements.size + hiddenAtoms.size > 0 || slice !== null,
  );
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
      <Tool label="Lasso (L)" on={lasso} onClick={toggleLasso}>
        <IconLasso size={17} />
      </Tool>
      <Menu label="Select and hide" icon={<IconPointer size={17} />}>
        <SelectMenu room={room} stage={stage} />
      </Menu>
      <EditToolButtons room={room} />
      <Menu label="What is shown" icon={<IconEye size={17} />} on={partial}>
        <DisplayMenu room={room} stage={stage} />
      </Menu>
      <Menu label="Look: camera, light, material, background" icon={<IconBulb size={17} />}>
        <LookMenu stage={stage} />
      </Menu>
      <Menu label="Save a picture" icon={<IconCamera size={17} />}>
        <PictureMenu stage={stage} />
      </Menu>
      <Menu label="Save a movie" icon={<IconMovie size={17} />}>
        <MovieMenu room={room} stage={stage} />
      </Menu>
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
  // The popover hears the key only while the focus is in it: a button that was pressed and is disabled then has lost it.
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape" && opened) setOpened(false);
  });
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
      <Popover.Dropdown p="sm" mah="70dvh" style={{ overflowY: "auto" }}>
        <Suspense>{children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
