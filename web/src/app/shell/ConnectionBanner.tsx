import { Box } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { duration } from "@/lib/format";
import { useNow } from "@/lib/useNow";
import { useConnection } from "@/live/socket";
import classes from "./ConnectionBanner.module.css";

const PATIENCE_MS = 1_500;

/** Says that what is shown may be old, once the connection has been away for a moment. */
export function ConnectionBanner() {
  const { standing, since } = useConnection();
  const now = useNow(standing === "lost" ? 1_000 : 0);
  if (standing !== "lost" || now - since < PATIENCE_MS) return null;
  return (
    <Box className={classes.banner} role="status">
      <IconPlugConnectedX size={16} aria-hidden />
      The server is out of reach for {duration(Math.floor((now - since) / 1000) * 1000)}. What you see may be
      old; it is brought up to date as soon as the connection is back.
    </Box>
  );
}
