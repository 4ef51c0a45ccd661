// A room's trajectory as this page sees it: fetches frames before they are needed, keeps them, follows changes.
import { call, Problem, roomPath } from "@/lib/api/client";
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
  /** What went wrong last, until something works again. */
  lastError: Error | null = null;
  private readonly cache = new FrameCache(MAX_CACHE_BYTES);
  private readonly listeners = new Set<() => void>();
  private keys: ReadonlySet<string> = new Set(["arrays.numbers", "arrays.positions", "cell", "pbc"]);
  /** Every position that was in use when frames came in, so that trimming spares it. */
  private focus = 0;
  private readonly inFlight = new Map<number, AbortController>();
  private notifyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly room: string) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Beside the structure itself, these keys are wanted of each frame. */
  requestKeys(keys: Iterable<string>): void {
    const wanted = new Set(["arrays.numbers", "arrays.positions", "cell", "pbc", ...keys]);
    if (wanted.size === this.keys.size && [...wanted].every((key) => this.keys.has(key))) return;
    this.keys = wanted;
    this.abort();
    this.notify();
  }

  frame(index: number): Frame | undefined {
    return this.cache.get(index, this.keys);
  }

  /** The frame with what is known of it, even if something wanted is still missing. */
  partial(index: number): Frame | undefined {
    return this.cache.getPartial(index);
  }

  /** See to it that a position is there soon, and then what follows it in a direction. */
  ensureFrame(index: number, direction = 0): void {
    this.focus = index;
    if (this.length === 0) return;
    if (!this.frame(index) && !this.inFlight.has(index)) {
      // Someone jumped: what was being fetched ahead of the old place can wait.
      if (this.inFlight.size > 0) this.abort();
      void this.fetch(index, 1, direction || 1);
    }
    if (direction !== 0) this.prefetch(index, direction);
  }

  /** The trajectory changed; unless everything that came before was heard, too, no frame is sure to be where it was. */
  applyChange({ revision, length, splices }: FramesChanged, { afterAll }: { afterAll: boolean }): void {
    if (revision <= this.revision) return;
    this.revision = revision;
    this.length = length;
    if (afterAll) this.cache.splice(splices, revision);
    else this.cache.clear();
    this.abort();
    this.notify();
  }

  /** Start anew: nothing that was missed can be trusted. */
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
      // Not one by one as the play goes on: wait until a chunk is worth it.
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
      const query = { start, stop: start + count, keys: [...keys].join(",") };
      const response = await call("GET", roomPath(this.room, "frames"), { query, signal: control.signal });
      const revision = Number(response.headers.get("Workroom-Revision") ?? 0);
      let at = start;
      if (response.body)
        for await (const frame of readFrames(response.body)) {
          if (control.signal.aborted) return;
          this.cache.put(at, frame, keys, revision);
          this.inFlight.delete(at);
          // Many frames come in one piece: only the one that is looked at is worth telling at once.
          if (at === this.focus) this.notify();
          else this.notifyTimer ??= setTimeout(() => this.notify(), 30);
          at++;
        }
      this.cache.trim(this.focus);
      this.lastError = null;
    } catch (error) {
      if (control.signal.aborted) return;
      this.lastError = error instanceof Error ? error : new Error(String(error));
      // Gone while it was asked for: the event that says so is on its way.
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
