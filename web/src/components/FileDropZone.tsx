import { Center, Loader, Overlay, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { type CSSProperties, type DragEvent, type ReactNode, useRef, useState } from "react";

/** A page that accepts dropped files. */
export function FileDropZone({
  onDrop,
  busy = false,
  hint,
  style,
  children,
}: {
  onDrop: (files: File[]) => void;
  busy?: boolean;
  /** What a drop does. */
  hint: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const holdsFiles = (event: DragEvent) => [...event.dataTransfer.types].includes("Files");

  return (
    // Handles the events before the components on the page do: the dock would take a file for one of its panels.
    <div
      style={{ minHeight: "100%", position: "relative", ...style }}
      data-testid="drop-files"
      onDragEnterCapture={(event) => {
        if (!holdsFiles(event)) return;
        event.stopPropagation();
        depth.current += 1;
        setOver(true);
      }}
      onDragLeaveCapture={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDragOverCapture={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onDropCapture={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        depth.current = 0;
        setOver(false);
        onDrop([...event.dataTransfer.files]);
      }}
    >
      {children}
      {(over || busy) && (
        <Overlay color="var(--wr-canvas)" backgroundOpacity={0.85} fixed zIndex={150}>
          <Center h="100%">
            <Stack align="center" gap="xs">
              {busy ? <Loader /> : <IconFileUpload size={48} stroke={1.3} />}
              <Text fw={600}>{busy ? "Opening …" : hint}</Text>
              <Text size="sm" c="dimmed">
                Any format ASE reads: extxyz, xyz, cif, pdb, traj, POSCAR, h5md …
              </Text>
            </Stack>
          </Center>
        </Overlay>
      )}
    </div>
  );
}
