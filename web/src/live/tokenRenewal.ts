/** Renews the session's token before it expires, and repeats a renewal that failed. */

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const SHORTEST_WAIT_MS = 1_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export interface Renewal {
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Fetches another token; the session then has another `expiresAt`, and this renewal is stopped. */
  renew(): Promise<unknown>;
  /** Calls `act` when the server can be reached again, until the returned function is called. */
  onReconnect(act: () => void): () => void;
}

/** Renew after 80 % of the token's lifetime, or at once if the browser was asleep then. Ends when the returned function is called. */
export function keepTokenRenewed({ expiresAt, renew, onReconnect }: Renewal): () => void {
  let stopped = false;
  let underWay = false;
  let pause = FIRST_PAUSE_MS;
  /** Whether a renewal has failed, so that a new connection repeats it before the pause is over. */
  let failed = false;
  const attempt = async () => {
    if (stopped || underWay) return;
    underWay = true;
    clearTimeout(timer);
    failed = await renew().then(
      () => false,
      () => true,
    );
    underWay = false;
    if (stopped || !failed) return;
    timer = setTimeout(attempt, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };
  const rest = 0.8 * (expiresAt - Date.now());
  let timer = setTimeout(attempt, Math.min(Math.max(rest, SHORTEST_WAIT_MS), LONGEST_TIMER_MS));
  const stopListening = onReconnect(() => {
    if (failed) void attempt();
  });
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopListening();
  };
}
