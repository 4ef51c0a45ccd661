// Pause, resume, cancel and retry buttons of a posting.
import { Button } from "@mantine/core";
import {
  IconChartBar,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { notify } from "@/lib/notifications";
import { isOpen, type Posting, usePostingCommand, useRetryFailed } from "./queries";

export function PostingButtons({ posting }: { posting: Posting }) {
  const act = usePostingCommand(posting.postingId);
  const retry = useRetryFailed(posting.postingId);
  const navigate = useNavigate();
  return (
    <>
      {posting.scope === "function" && (
        <Button
          variant="default"
          leftSection={<IconChartBar size={15} />}
          onClick={() => void navigate({ to: "/profiles/$function", params: { function: posting.name } })}
        >
          Profile
        </Button>
      )}
      {posting.status === "executing" && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={15} />}
          loading={act.isPending}
          onClick={() => act.mutate("pause")}
        >
          Pause
        </Button>
      )}
      {posting.status === "paused" && (
        <Button
          leftSection={<IconPlayerPlay size={15} />}
          loading={act.isPending}
          onClick={() => act.mutate("resume")}
        >
          Resume
        </Button>
      )}
      {isOpen(posting) && (
        <Button
          color="red"
          variant="light"
          leftSection={<IconPlayerStop size={15} />}
          loading={act.isPending}
          onClick={() => act.mutate("cancel")}
        >
          Cancel
        </Button>
      )}
      {posting.failed > 0 && (
        <Button
          variant={isOpen(posting) ? "default" : "filled"}
          leftSection={<IconRefresh size={15} />}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(undefined, {
              onSuccess: ({ posting: made }) => {
                if (!made) return notify("None of its jobs has failed.");
                void navigate({ to: "/postings/$posting", params: { posting: made.postingId } });
              },
            })
          }
        >
          Retry failed
        </Button>
      )}
    </>
  );
}
