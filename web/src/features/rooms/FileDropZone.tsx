import { Center, Loader, Overlay, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";

/** A page on which files may be dropped. */
export function FileDropZone({
  onDrop,
  busy,
  children,
}: {
  onDrop: (files: File[]) => void;
  busy: boolean;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const holdsFiles = (event: DragEvent) => [...event.dataTransfer.types].includes("Files");

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Open a file" does the same by keys
    <div
      style={{ minHeight: "100%", position: "relative" }}
      data-testid="drop-files"
      onDragEnter={(event) => {
        if (!holdsFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDragOver={(event) => {
        if (holdsFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
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
              <Text fw={600}>{busy ? "Opening …" : "Drop to open in a new room"}</Text>
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
