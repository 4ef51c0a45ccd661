// Shows who holds a lock in this room, the reason and the remaining time.
import { Badge, HoverCard, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useLocks } from "@/live/room/writeBlockedReason";

const GRACE = 1_000;

export default function LockBadge({ room }: RoomPanelProps) {
  const client = useQueryClient();
  const me = useSession((session) => session.user?.id);
  const { data } = useLocks(room);
  const now = useSeconds((data?.items.length ?? 0) > 0);
  const held = (data?.items ?? []).filter((lock) => Date.parse(lock.expiresAt) + GRACE > now);
  const ended = (data?.items.length ?? 0) - held.length;

  // A holder that crashed sends no event, so the locks are fetched again when its lock expires.
  useEffect(() => {
    if (ended > 0) void client.invalidateQueries({ queryKey: queryKeys.locks(room) });
  }, [ended, client, room]);

  const first = held.find((lock) => lock.target === "trajectory") ?? held[0];
  if (!first) return null;
  const mine = first.holder.id === me;
  return (
    <HoverCard width={300} shadow="md" withinPortal>
      <HoverCard.Target>
        <Badge
          color={mine ? "iris" : "orange"}
          leftSection={<IconLock size={12} />}
          tabIndex={0}
          maw={260}
          data-testid="lock-badge"
        >
          {mine ? "You hold" : first.holder.name}{" "}
          {mine ? `the ${first.target}` : `· ${first.message || first.target}`}
          {held.length > 1 && ` +${held.length - 1}`}
        </Badge>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <Stack gap="xs">
          {held.map((lock) => (
            <div key={lock.target}>
              <Text size="sm" fw={600}>
                {lock.holder.name} holds the {lock.target}
              </Text>
              <Text size="sm">{lock.message || "no reason given"}</Text>
              <Text size="xs" c="dimmed" className="numbers">
                for {formatSeconds(now - Date.parse(lock.acquiredAt))}; ends in{" "}
                {formatSeconds(Date.parse(lock.expiresAt) - now)} unless it is renewed
                {lock.jobId ? "; taken by a job" : ""}
              </Text>
            </div>
          ))}
          <Text size="xs" c="dimmed">
            Until then, other users cannot write there.
          </Text>
        </Stack>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}

function useSeconds(ticking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}

function formatSeconds(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
