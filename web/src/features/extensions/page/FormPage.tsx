// The form of one extension as a page: values come from the address, and the result appears below.
import { Box, Loader, Paper } from "@mantine/core";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { findExtension } from "@/lib/jobs/extensionPath";
import { usePageTitle } from "@/lib/pageTitle";
import { useExtensions } from "@/live/queries";
import ExtensionView from "../ExtensionView";

export default function FormPage() {
  const { room, category, name } = useParams({ from: "/in/rooms/$room/forms/$category/$name" });
  const path = `${category}/${name}`;
  const search = useLocation({ select: (location) => location.search as Record<string, unknown> });
  const navigate = useNavigate();
  const extensions = useExtensions(room);
  usePageTitle(`${name.split("@")[0]} · ${room}`);
  if (extensions.isLoadingError)
    return <ErrorAlert error={extensions.error} onRetry={() => extensions.refetch()} />;
  if (!extensions.data) return <Loader size="sm" m="md" role="status" aria-label="Loading" />;
  const found = findExtension(extensions.data, path);
  return (
    <Box h="100%" style={{ overflow: "auto" }} data-testid="form-page">
      <Paper className="surface" radius="md" maw={640} mx="auto" my="md">
        <ExtensionView
          key={`${room} ${path}`}
          room={room}
          address={path}
          extension={found}
          offered={Boolean(found)}
          given={search}
          back={() => void navigate({ to: "/rooms/$room", params: { room }, search: { ext: path } })}
        />
      </Paper>
    </Box>
  );
}
