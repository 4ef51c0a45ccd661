// Whose camera this page follows, and the end of it: by a button or by Escape.
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { stopFollowing, useCameraFollow } from "@/lib/room/cameraFollow";

/** What has a use of its own for Escape. */
const OWN_ESCAPE = '[role="dialog"], [role="menu"], [role="listbox"], input, textarea';

export function FollowBadge({ room }: { room: string }) {
  const person = useCameraFollow((now) => (now.room === room ? now.person : null));
  useEffect(() => {
    if (!person) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || (event.target as Element).closest?.(OWN_ESCAPE)) return;
      // The selection stays.
      event.stopPropagation();
      stopFollowing();
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [person]);
  if (!person) return null;
  return (
    <div className="wr-viewer-follow" role="status">
      <span>You follow {person.name}</span>
      <Button size="compact-xs" variant="light" onClick={stopFollowing}>
        Stop (Esc)
      </Button>
    </div>
  );
}
