// Frames this page has, by position. A write elsewhere moves them (splices); what is too much is dropped, farthest first.
import { type Frame, isArray } from "@/lib/frames";

export interface Splice {
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

interface Entry {
  readonly frame: Frame;
  /** The keys that were asked for; a frame without one of them does not have it. */
  readonly keys: ReadonlySet<string>;
  /** The trajectory's revision this position is true of. */
  revision: number;
  readonly bytes: number;
}

export class FrameCache {
  private entries = new Map<number, Entry>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** The frame at a position, if it was fetched with at least these keys. */
  get(index: number, keys: Iterable<string>): Frame | undefined {
    const entry = this.entries.get(index);
    if (!entry) return undefined;
    for (const key of keys) if (!entry.keys.has(key)) return undefined;
    return entry.frame;
  }

  /** Whatever is known of a position, wanted keys or not: better than nothing to look at. */
  getPartial(index: number): Frame | undefined {
    return this.entries.get(index)?.frame;
  }

  put(index: number, frame: Frame, keys: ReadonlySet<string>, asOf: number): void {
    const known = this.entries.get(index);
    if (known && known.revision > asOf) return;
    if (known) this.bytes -= known.bytes;
    const entry = { frame, keys, revision: asOf, bytes: bytesOf(frame) };
    this.entries.set(index, entry);
    this.bytes += entry.bytes;
  }

  /**
   * The trajectory changed. Frames that were answered after this change are where they belong already; the others move or
   * go.
   */
  splice(splices: readonly Splice[], revision: number): void {
    for (const { start, removed, added } of splices) {
      const moved = new Map<number, Entry>();
      for (const [index, entry] of this.entries) {
        if (entry.revision >= revision || index < start) putNewer(moved, index, entry);
        else if (index >= start + removed) putNewer(moved, index + added - removed, entry);
      }
      this.entries = moved;
    }
    this.bytes = 0;
    for (const entry of this.entries.values()) {
      if (entry.revision < revision) entry.revision = revision;
      this.bytes += entry.bytes;
    }
  }

  /** Drop what is farthest from a position until the rest is not too much. */
  trim(around: number): void {
    if (this.bytes <= this.maxBytes) return;
    const far = [...this.entries.keys()].sort((a, b) => Math.abs(b - around) - Math.abs(a - around));
    for (const index of far) {
      if (this.bytes <= this.maxBytes || index === around) break;
      this.bytes -= this.entries.get(index)!.bytes;
      this.entries.delete(index);
    }
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }

  /** How many bytes a frame takes on average. */
  get meanBytes(): number {
    return this.entries.size ? this.bytes / this.entries.size : 0;
  }
}

function putNewer(into: Map<number, Entry>, index: number, entry: Entry): void {
  const other = into.get(index);
  if (!other || other.revision <= entry.revision) into.set(index, entry);
}

function bytesOf(frame: Frame): number {
  let bytes = 256;
  for (const value of frame.values()) if (isArray(value)) bytes += value.data.byteLength + 64;
  return bytes;
}
