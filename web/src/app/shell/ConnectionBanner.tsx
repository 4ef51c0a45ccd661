import { Box } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { duration } from "@/lib/format";
import { notify } from "@/lib/notifications";
import { useNow } from "@/lib/useNow";
import { useConnection } from "@/live/socket";
import classes from "./ConnectionBanner.module.css";

const PATIENCE_MS = 1_500;

/** Warns that the page may be out of date once the connection has been lost for a moment, and says when it is back. */
export function ConnectionBanner() {
  const { standing, since } = useConnection();
  const now = useNow(standing === "lost" ? 1_000 : 0);
  const isShown = standing === "lost" && now - since >= PATIENCE_MS;
  const wasShown = useRef(false);
  useEffect(() => {
    if (isShown) wasShown.current = true;
    if (standing !== "live" || !wasShown.current) return;
    wasShown.current = false;
    notify("This page is up to date again.", "The server is back");
  }, [isShown, standing]);
  if (!isShown) return null;
  return (
    <Box className={classes.banner} role="status">
      <IconPlugConnectedX size={16} aria-hidden />
      The server is out of reach for {duration(Math.floor((now - since) / 1000) * 1000)}. This page may be out
      of date; it is updated when the connection is back.
    </Box>
  );
}
