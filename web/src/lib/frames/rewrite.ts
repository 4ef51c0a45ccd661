/**
 * A frame with some of its values replaced or left out. All other values keep their bytes: decoded and encoded again, a whole
 * float would become an integer, and a half float a float.
 */
import type { ArrayValue } from "./arrays";
import { FrameWriter } from "./encode";

export interface FrameEdit {
  /** Arrays that replace those of the same keys. */
  readonly arrays: ReadonlyMap<string, ArrayValue>;
  readonly leavesOut: (key: string) => boolean;
}

const ARRAY_FOLLOWS = [0x84, 0xa5, 0x64, 0x74, 0x79, 0x70, 0x65]; // a map of four, and its first key "dtype"
const FIXED_SIZES: Record<number, number> = {
  192: 1,
  194: 1,
  195: 1,
  202: 5,
  203: 9,
  204: 2,
  205: 3,
  206: 5,
  207: 9,
  208: 2,
  209: 3,
  210: 5,
  211: 9,
};
/** The bytes of the length behind the first byte: of text and binary data, of lists, of maps. */
const CONTENT_LENGTHS: Record<number, number> = { 196: 1, 197: 2, 198: 4, 217: 1, 218: 2, 219: 4 };
const LIST_LENGTHS: Record<number, number> = { 220: 2, 221: 4 };
const MAP_LENGTHS: Record<number, number> = { 222: 2, 223: 4 };

/** The stream of one frame, from the stream of one frame that was decoded without an error. */
export function rewriteFrame(stream: ArrayBuffer, { arrays, leavesOut }: FrameEdit): Uint8Array<ArrayBuffer> {
  const source = new Source(new Uint8Array(stream), 8);
  const entries = source.mapLength();
  const kept: { key: string; start: number; value: number }[] = [];
  for (let entry = 0; entry < entries; entry++) {
    const start = source.at;
    const key = source.text();
    if (!leavesOut(key)) kept.push({ key, start, value: source.at });
    source.skipValue();
  }
  const writer = new FrameWriter();
  writer.map(kept.length);
  for (const { key, start, value } of kept) {
    writer.put(source.bytes.subarray(start, value));
    const replaced = arrays.get(key);
    source.at = value;
    if (replaced) writer.value(replaced);
    else source.copyValue(writer);
  }
  return writer.finish();
}

class Source {
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  mapLength(): number {
    const head = this.bytes[this.at]!;
    return this.length(head, 0x80, 0x0f, MAP_LENGTHS);
  }

  text(): string {
    const size = this.content();
    return new TextDecoder().decode(this.bytes.subarray(this.at - size, this.at));
  }

  skipValue(): void {
    this.copyValue(null);
  }

  /** Copy the next value as it is; only the padding of arrays depends on where they begin. */
  copyValue(writer: FrameWriter | null): void {
    const start = this.at;
    const head = this.bytes[start]!;
    if (ARRAY_FOLLOWS.every((byte, at) => this.bytes[start + at] === byte)) {
      this.copyArray(writer);
      return;
    }
    let values = 0;
    if (head <= 0x7f || head >= 0xe0) this.at++;
    else if (head <= 0x8f || head in MAP_LENGTHS) values = 2 * this.mapLength();
    else if (head <= 0x9f || head in LIST_LENGTHS) values = this.length(head, 0x90, 0x0f, LIST_LENGTHS);
    else if (head <= 0xbf || head in CONTENT_LENGTHS) this.content();
    else this.at += FIXED_SIZES[head]!;
    writer?.put(this.bytes.subarray(start, this.at));
    for (let value = 0; value < values; value++) this.copyValue(writer);
  }

  private copyArray(writer: FrameWriter | null): void {
    const start = this.at++;
    for (const part of ["dtype", "", "shape", "", "pad"]) {
      if (part) this.text();
      else this.skipValue();
    }
    const beforePad = this.at;
    this.skipValue();
    const name = this.at;
    this.text();
    const size = this.content();
    const data = this.at - size;
    if (!writer) return;
    writer.put(this.bytes.subarray(start, beforePad));
    writer.pad(data - name);
    writer.put(this.bytes.subarray(name, this.at));
  }

  /** Step over text or binary data, and return its size. */
  private content(): number {
    const size = this.length(this.bytes[this.at]!, 0xa0, 0x1f, CONTENT_LENGTHS);
    this.at += size;
    return size;
  }

  /** Read the length in the first byte or behind it. */
  private length(head: number, fixed: number, mask: number, lengths: Record<number, number>): number {
    const size = lengths[head];
    if (size === undefined) {
      if ((head & ~mask & 0xff) !== fixed) throw new Error(`Byte 0x${head.toString(16)} has no length.`);
      this.at++;
      return head & mask;
    }
    const at = this.at + 1;
    this.at = at + size;
    return size === 1
      ? this.view.getUint8(at)
      : size === 2
        ? this.view.getUint16(at)
        : this.view.getUint32(at);
  }
}
