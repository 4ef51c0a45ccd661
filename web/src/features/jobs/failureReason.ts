const REASONS: Record<string, string> = {
  worker_lost: "The worker disconnected while the job ran.",
  timeout: "The job exceeded its timeout.",
  poison: "The job crashed its worker too often.",
};

export const reasonLabel = (reason: string) => REASONS[reason] ?? reason.replaceAll("_", " ");
