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
      void this.fetch(index, 1, direction || 1);
    }
    if (direction !== 0) this.prefetch(index, direction);
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

  private prefetch(index: number, direction: number): void {
    if (this.inFlight.size > 1) return;
    const usual = this.cache.meanBytes || 1e5;
    const ahead = Math.max(2, Math.min(MAX_PREFETCH, Math.floor(PREFETCH_BYTES / usual), this.length - 1));
    const chunk = Math.max(1, Math.min(MAX_CHUNK, Math.floor(CHUNK_BYTES / usual)));
    for (let n = 1; n <= ahead; n++) {
      const at = (((index + n * direction) % this.length) + this.length) % this.length;
      if (this.frame(at) || this.inFlight.has(at)) continue;
      // Fetch whole chunks instead of single frames during playback.
      const gap = this.missing(at, direction, chunk);
      if (gap < chunk && n > ahead / 2) return;
      void this.fetch(at, gap, direction);
      if (this.inFlight.size > 1) return;
    }
  }

  private missing(from: number, direction: number, most: number): number {
    let count = 0;
    for (let at = from; count < most && at >= 0 && at < this.length; at += direction) {
      if (this.frame(at) || this.inFlight.has(at)) break;
      count++;
    }
    return Math.max(1, count);
  }

  private async fetch(from: number, count: number, direction: number): Promise<void> {
    const start = direction < 0 ? from - count + 1 : from;
    const { keys } = this;
    const control = new AbortController();
    for (let at = start; at < start + count; at++) this.inFlight.set(at, control);
    try {
      const { data, response } = await api.GET("/api/rooms/{room}/frames", {
        params: {
          path: { room: this.room },
          query: { start, stop: start + count, keys: [[...keys].join(",")] },
        },
        parseAs: "stream",
        signal: control.signal,
      });
      const revision = Number(response.headers.get("Workroom-Revision") ?? 0);
      let at = start;
      if (data)
        for await (const frame of readFrames(data)) {
          if (control.signal.aborted) return;
          this.cache.put(at, frame, keys, revision);
          this.inFlight.delete(at);
          // Many frames arrive at once: only the shown frame notifies listeners immediately.
          if (at === this.focus) this.notify();
          else this.notifyTimer ??= setTimeout(() => this.notify(), 30);
          at++;
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
