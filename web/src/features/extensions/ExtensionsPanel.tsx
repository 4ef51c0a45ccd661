import { Box, Loader } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import type { Schemas } from "@/lib/api/client";
import { extensionPath, findExtension } from "@/lib/jobs/extensionPath";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useExtensions } from "@/live/queries";
import { ExtensionList } from "./ExtensionList";

const ExtensionView = lazy(() => import("./ExtensionView"));

type Extension = Schemas["ExtensionInfo"];

export default function ExtensionsPanel({ room }: RoomPanelProps) {
  const { ext } = useSearch({ strict: false }) as { ext?: string };
  const navigate = useNavigate();
  const extensions = useExtensions(room);
  const found = ext ? findExtension(extensions.data ?? [], ext) : undefined;
  // A form stays open when the last worker disconnects, so that the entered values are not lost.
  const last = useRef<{ address: string; room: string; extension: Extension } | null>(null);
  useEffect(() => {
    if (ext && found) last.current = { address: ext, room, extension: found };
  }, [ext, found, room]);
  const lastShown =
    ext && last.current?.address === ext && last.current.room === room ? last.current.extension : undefined;
  const shown = found ?? lastShown;
  const open = (address: string | undefined) =>
    void navigate({ to: "/rooms/$room", params: { room }, search: address ? { ext: address } : {} });

  return (
    <Box h="100%" style={{ overflow: "auto" }} data-testid="extensions">
      {extensions.isLoadingError && (
        <ErrorAlert error={extensions.error} onRetry={() => extensions.refetch()} />
      )}
      {extensions.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
      {extensions.data &&
        (ext ? (
          <Suspense fallback={<Loader size="sm" m="md" role="status" aria-label="Loading" />}>
            <ExtensionView
              key={`${room} ${ext}`}
              room={room}
              address={ext}
              extension={shown}
              offered={Boolean(found)}
              back={() => open(undefined)}
            />
          </Suspense>
        ) : (
          <ExtensionList room={room} extensions={extensions.data} open={(one) => open(extensionPath(one))} />
        ))}
    </Box>
  );
}
