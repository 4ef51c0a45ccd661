import { Badge } from "@mantine/core";

/** Labels of the job states. */
export const STATE_LABELS: Record<string, string> = {
  blocked: "blocked",
  pending: "waiting",
  assigned: "assigned",
  running: "running",
  completed: "finished",
  failed: "failed",
  cancelled: "cancelled",
};

export const STATES = Object.keys(STATE_LABELS);

export function StateDot({ state }: { state: string }) {
  return (
    <span
      aria-hidden
      style={{
        display: "inline-block",
        width: 8,
        height: 8,
        borderRadius: 8,
        flex: "none",
        background: `var(--wr-${state})`,
      }}
    />
  );
}

export function StateBadge({ state, cancelling = false }: { state: string; cancelling?: boolean }) {
  return (
    <Badge
      variant="default"
      size="sm"
      leftSection={<StateDot state={state} />}
      style={{ flex: "none" }}
      fw={500}
    >
      {cancelling ? "cancelling" : (STATE_LABELS[state] ?? state)}
    </Badge>
  );
}
