// The trajectory of a room in the browser: prefetches frames, caches them and applies changes.
import { api, Problem } from "@/lib/api/client";
import { type Frame, readFrames } from "@/lib/frames";
import { FrameCache, type Splice } from "@/lib/trajectory/frameCache";

export interface FramesChanged {
  revision: number;
  length: number;
  splices: Splice[];
}

const MAX_CACHE_BYTES = 192 * 2 ** 20;
const PREFETCH_BYTES = 48 * 2 ** 20;
const CHUNK_BYTES = 4 * 2 ** 20;
const MAX_PREFETCH = 120;
const MAX_CHUNK = 40;

export class Trajectory {
  length = 0;
  revision = 0;
  /** The last error; null after a successful request. */
  lastError: Error | null = null;
  /** The frame that playback shows after another one in a direction; null while it shows every frame. */
  upcoming: ((step: number, direction: 1 | -1) => number | null) | null = null;
  private readonly cache = new FrameCache(MAX_CACHE_BYTES);
  private readonly listeners = new Set<() => void>();
  private keys: ReadonlySet<string> = new Set(["arrays.numbers", "arrays.positions", "cell", "pbc"]);
  /** The index shown last; trimming the cache keeps the frames around it. */
  private focus = 0;
  private readonly inFlight = new Map<number, AbortController>();
  private notifyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly room: string) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Set the frame keys to fetch in addition to the structure. */
  requestKeys(keys: Iterable<string>): void {
    const requested = new Set(["arrays.numbers", "arrays.positions", "cell", "pbc", ...keys]);
    if (requested.size === this.keys.size && [...requested].every((key) => this.keys.has(key))) return;
    this.keys = requested;
    this.abort();
    this.notify();
  }

  frame(index: number): Frame | undefined {
    return this.cache.get(index, this.keys);
  }

  /** The cached frame, even if requested keys are missing. */
  partial(index: number): Frame | undefined {
    return this.cache.getPartial(index);
  }

  /** Fetch a frame if it is not cached, and prefetch the frames after it in the given direction. */
  ensureFrame(index: number, direction = 0): void {
    this.focus = index;
    if (this.length === 0) return;
    if (!this.frame(index) && !this.inFlight.has(index)) {
      // The user jumped to another frame: prefetching around the old one is aborted.
      if (this.inFlight.size > 0) this.abort();
      void this.fetch([index]);
    }
    if (direction !== 0) this.prefetch(index, direction < 0 ? -1 : 1);
  }

  /** Apply a change. If events were missed before (`afterAll` is false), cached positions are invalid and the cache is cleared. */
  applyChange({ revision, length, splices }: FramesChanged, { afterAll }: { afterAll: boolean }): void {
    if (revision <= this.revision) return;
    this.revision = revision;
    this.length = length;
    if (afterAll) this.cache.splice(splices, revision);
    else this.cache.clear();
    this.abort();
    this.notify();
  }

  /** Discard all frames after missed events. */
  reset(length: number, revision: number): void {
    if (revision === this.revision && length === this.length) return;
    this.abort();
    this.cache.clear();
    this.length = length;
    this.revision = revision;
    this.notify();
  }

  dispose(): void {
    clearTimeout(this.notifyTimer);
    this.abort();
    this.cache.clear();
    this.listeners.clear();
  }

  private prefetch(index: number, direction: 1 | -1): void {
    if (this.inFlight.size > 1) return;
    const usual = this.cache.meanBytes || 1e5;
    const ahead = Math.max(2, Math.min(MAX_PREFETCH, Math.floor(PREFETCH_BYTES / usual), this.length - 1));
    const chunk = Math.max(1, Math.min(MAX_CHUNK, Math.floor(CHUNK_BYTES / usual)));
    const missing: number[] = [];
    let begun = 0;
    let at: number | null = index;
    for (let n = 1; n < ahead + chunk && missing.length < chunk; n++) {
      at = this.after(at, direction);
      if (at === null || at === index) break;
      const known = this.frame(at) !== undefined || this.inFlight.has(at);
      if (known ? missing.length > 0 : missing.length === 0 && n > ahead) break;
      if (known) continue;
      if (missing.length === 0) begun = n;
      missing.push(at);
    }
    // Whole chunks instead of single frames, except for what is needed soon.
    if (missing.length === 0 || (missing.length < chunk && begun > ahead / 2)) return;
    void this.fetch(missing);
    if (missing.length === 1) this.prefetch(index, direction);
  }

  /** The frame that is shown after another one: the trajectory is played in a circle unless playback says otherwise. */
  private after(step: number, direction: 1 | -1): number | null {
    if (this.upcoming) return this.upcoming(step, direction);
    return (step + direction + this.length) % this.length;
  }

  private async fetch(indices: readonly number[]): Promise<void> {
    const { keys } = this;
    const control = new AbortController();
    const wanted = [...indices].sort((a, b) => a - b);
    for (const at of wanted) this.inFlight.set(at, control);
    try {
      const { data, response } = await api.GET("/api/rooms/{room}/frames", {
        params: {
          path: { room: this.room },
          query: { ...selectionOf(wanted), keys: [[...keys].join(",")] },
        },
        parseAs: "stream",
        signal: control.signal,
      });
      const revision = Number(response.headers.get("Workroom-Revision") ?? 0);
      let number = 0;
      if (data)
        for await (const frame of readFrames(data)) {
          const at = wanted[number++];
          if (control.signal.aborted || at === undefined) return;
          this.cache.put(at, frame, keys, revision);
          this.inFlight.delete(at);
          // Many frames arrive at once: only the shown frame notifies listeners immediately.
          if (at === this.focus) this.notify();
          else this.notifyTimer ??= setTimeout(() => this.notify(), 30);
        }
      this.cache.trim(this.focus);
      this.lastError = null;
    } catch (error) {
      if (control.signal.aborted) return;
      this.lastError = error instanceof Error ? error : new Error(String(error));
      // 404: the frame was removed meanwhile, and the change event will follow.
      if (!(error instanceof Problem) || error.status !== 404) setTimeout(() => this.notify(), 1_000);
    } finally {
      for (const [at, its] of this.inFlight) if (its === control) this.inFlight.delete(at);
    }
    this.notify();
  }

  private abort(): void {
    for (const control of new Set(this.inFlight.values())) control.abort();
    this.inFlight.clear();
  }

  private notify(): void {
    clearTimeout(this.notifyTimer);
    this.notifyTimer = undefined;
    for (const listener of this.listeners) listener();
  }
}

/** Neighbouring frames as a slice, others by their numbers. */
function selectionOf(indices: readonly number[]) {
  const [start, last] = [indices[0]!, indices.at(-1)!];
  if (last - start === indices.length - 1) return { start, stop: last + 1 };
  return { indices: indices.join(",") };
}
