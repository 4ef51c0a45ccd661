// A room's trajectory as this page sees it: fetches frames before they are needed, keeps them, follows changes.
import { call, Problem, roomPath } from "@/lib/api";
import { type Frame, readFrames } from "@/lib/frames";
import { FrameCache, type Splice } from "@/lib/trajectory/cache";

export interface FramesChanged {
  revision: number;
  length: number;
  splices: Splice[];
}

const MOST_BYTES = 192 * 2 ** 20;
const AHEAD_BYTES = 48 * 2 ** 20;
const CHUNK_BYTES = 4 * 2 ** 20;
const MOST_AHEAD = 120;
const MOST_IN_CHUNK = 40;

export class Trajectory {
  length = 0;
  revision = 0;
  /** What went wrong last, until something works again. */
  trouble: Error | null = null;
  private readonly cache = new FrameCache(MOST_BYTES);
  private readonly listeners = new Set<() => void>();
  private keys: ReadonlySet<string> = new Set(["arrays.numbers", "arrays.positions", "cell", "pbc"]);
  /** Every position that was in use when frames came in, so that trimming spares it. */
  private around = 0;
  private readonly underway = new Map<number, AbortController>();
  private soon: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly room: string) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Beside the structure itself, these keys are wanted of each frame. */
  want(keys: Iterable<string>): void {
    const wanted = new Set(["arrays.numbers", "arrays.positions", "cell", "pbc", ...keys]);
    if (wanted.size === this.keys.size && [...wanted].every((key) => this.keys.has(key))) return;
    this.keys = wanted;
    this.abort();
    this.told();
  }

  frame(index: number): Frame | undefined {
    return this.cache.get(index, this.keys);
  }

  /** The frame with what is known of it, even if something wanted is still missing. */
  partial(index: number): Frame | undefined {
    return this.cache.any(index);
  }

  /** See to it that a position is there soon, and then what follows it in a direction. */
  need(index: number, direction = 0): void {
    this.around = index;
    if (this.length === 0) return;
    if (!this.frame(index) && !this.underway.has(index)) {
      // Someone jumped: what was being fetched ahead of the old place can wait.
      if (this.underway.size > 0) this.abort();
      void this.fetch(index, 1, direction || 1);
    }
    if (direction !== 0) this.prefetch(index, direction);
  }

  /** The trajectory changed; unless everything that came before was heard, too, no frame is sure to be where it was. */
  changed({ revision, length, splices }: FramesChanged, { afterAll }: { afterAll: boolean }): void {
    if (revision <= this.revision) return;
    this.revision = revision;
    this.length = length;
    if (afterAll) this.cache.splice(splices, revision);
    else this.cache.clear();
    this.abort();
    this.told();
  }

  /** Start anew: nothing that was missed can be trusted. */
  reset(length: number, revision: number): void {
    if (revision === this.revision && length === this.length) return;
    this.abort();
    this.cache.clear();
    this.length = length;
    this.revision = revision;
    this.told();
  }

  dispose(): void {
    clearTimeout(this.soon);
    this.abort();
    this.cache.clear();
    this.listeners.clear();
  }

  private prefetch(index: number, direction: number): void {
    if (this.underway.size > 1) return;
    const usual = this.cache.usual || 1e5;
    const ahead = Math.max(2, Math.min(MOST_AHEAD, Math.floor(AHEAD_BYTES / usual), this.length - 1));
    const chunk = Math.max(1, Math.min(MOST_IN_CHUNK, Math.floor(CHUNK_BYTES / usual)));
    for (let n = 1; n <= ahead; n++) {
      const at = (((index + n * direction) % this.length) + this.length) % this.length;
      if (this.frame(at) || this.underway.has(at)) continue;
      // Not one by one as the play goes on: wait until a chunk is worth it.
      const gap = this.missing(at, direction, chunk);
      if (gap < chunk && n > ahead / 2) return;
      void this.fetch(at, gap, direction);
      if (this.underway.size > 1) return;
    }
  }

  private missing(from: number, direction: number, most: number): number {
    let count = 0;
    for (let at = from; count < most && at >= 0 && at < this.length; at += direction) {
      if (this.frame(at) || this.underway.has(at)) break;
      count++;
    }
    return Math.max(1, count);
  }

  private async fetch(from: number, count: number, direction: number): Promise<void> {
    const start = direction < 0 ? from - count + 1 : from;
    const { keys } = this;
    const control = new AbortController();
    for (let at = start; at < start + count; at++) this.underway.set(at, control);
    try {
      const query = { start, stop: start + count, keys: [...keys].join(",") };
      const response = await call("GET", roomPath(this.room, "frames"), { query, signal: control.signal });
      const revision = Number(response.headers.get("Workroom-Revision") ?? 0);
      let at = start;
      if (response.body)
        for await (const frame of readFrames(response.body)) {
          if (control.signal.aborted) return;
          this.cache.put(at, frame, keys, revision);
          this.underway.delete(at);
          // Many frames come in one piece: only the one that is looked at is worth telling at once.
          if (at === this.around) this.told();
          else this.soon ??= setTimeout(() => this.told(), 30);
          at++;
        }
      this.cache.trim(this.around);
      this.trouble = null;
    } catch (error) {
      if (control.signal.aborted) return;
      this.trouble = error instanceof Error ? error : new Error(String(error));
      // Gone while it was asked for: the event that says so is on its way.
      if (!(error instanceof Problem) || error.status !== 404) setTimeout(() => this.told(), 1_000);
    } finally {
      for (const [at, its] of this.underway) if (its === control) this.underway.delete(at);
    }
    this.told();
  }

  private abort(): void {
    for (const control of new Set(this.underway.values())) control.abort();
    this.underway.clear();
  }

  private told(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    for (const listener of this.listeners) listener();
  }
}
