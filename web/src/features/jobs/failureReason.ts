const REASONS: Record<string, string> = {
  worker_lost: "Its worker was lost while it ran.",
  timeout: "It took longer than it may.",
  poison: "It took its worker down too often.",
};

export const reasonLabel = (reason: string) => REASONS[reason] ?? reason.replaceAll("_", " ");
