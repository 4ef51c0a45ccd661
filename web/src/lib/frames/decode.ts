/** Decodes a frame from bytes. All lengths are checked, because the input is not trusted. */
import { type ArrayValue, itemSize, view } from "./arrays";

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | ArrayValue
  | Value[]
  | { [key: string]: Value };
export type Frame = ReadonlyMap<string, Value>;

/** The bytes are not a frame. */
export class FrameError extends Error {
  override name = "FrameError";
}

const DEEPEST = 32;

/** The frame in `length` bytes at `offset`; its arrays are views of `buffer`. `offset` has to be a multiple of 8. */
export function decodeFrame(buffer: ArrayBuffer, offset = 0, length = buffer.byteLength - offset): Frame {
  if (offset % 8 !== 0) throw new FrameError(`A frame starts at byte ${offset}, which is no multiple of 8.`);
  const reader = new Reader(buffer, offset, length);
  const count = reader.mapLength();
  if (count === undefined) throw new FrameError("A frame is a map of its values.");
  const frame = new Map<string, Value>();
  for (let i = 0; i < count; i++) frame.set(reader.key(), reader.value(1));
  if (!reader.done) throw new FrameError("There is something behind the frame's last value.");
  return frame;
}

class Reader {
  private at: number;
  private readonly end: number;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(
    private readonly buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) {
    if (length < 0 || offset + length > buffer.byteLength) throw new FrameError("The frame is cut off.");
    this.at = offset;
    this.end = offset + length;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
  }

  get done(): boolean {
    return this.at === this.end;
  }

  /** The number of entries if a map follows; the reader then stands before its first key. */
  mapLength(): number | undefined {
    const head = this.peek();
    if ((head & 0xf0) === 0x80) {
      this.at++;
      return this.checked(head & 0x0f, 2);
    }
    if (head === 0xde) return this.checked(this.view.getUint16(this.skip(1, 2)), 2);
    if (head === 0xdf) return this.checked(this.view.getUint32(this.skip(1, 4)), 2);
    return undefined;
  }

  key(): string {
    const key = this.value(1);
    if (typeof key !== "string") throw new FrameError("A key is not text.");
    return key;
  }

  value(depth: number): Value {
    if (depth > DEEPEST) throw new FrameError("The frame is nested too deeply.");
    const entries = this.mapLength();
    if (entries !== undefined) return this.map(entries, depth);
    const head = this.bytes[this.at]!;
    if (head <= 0x7f || head >= 0xe0) return this.view.getInt8(this.skip(0, 1)) & (head <= 0x7f ? 0x7f : -1);
    if ((head & 0xf0) === 0x90) return this.list(head & 0x0f, 1, depth);
    if ((head & 0xe0) === 0xa0) return this.string(1, head & 0x1f);
    return this.long(head, depth);
  }

  private long(head: number, depth: number): Value {
    switch (head) {
      case 0xc0:
        this.at++;
        return null;
      case 0xc2:
      case 0xc3:
        this.at++;
        return head === 0xc3;
      case 0xc4:
        return this.binary(2, this.view.getUint8(this.ahead(2) + 1));
      case 0xc5:
        return this.binary(3, this.view.getUint16(this.ahead(3) + 1));
      case 0xc6:
        return this.binary(5, this.view.getUint32(this.ahead(5) + 1));
      case 0xca:
        return this.view.getFloat32(this.skip(1, 4));
      case 0xcb:
        return this.view.getFloat64(this.skip(1, 8));
      case 0xcc:
        return this.view.getUint8(this.skip(1, 1));
      case 0xcd:
        return this.view.getUint16(this.skip(1, 2));
      case 0xce:
        return this.view.getUint32(this.skip(1, 4));
      case 0xcf:
        return exact(this.view.getBigUint64(this.skip(1, 8)));
      case 0xd0:
        return this.view.getInt8(this.skip(1, 1));
      case 0xd1:
        return this.view.getInt16(this.skip(1, 2));
      case 0xd2:
        return this.view.getInt32(this.skip(1, 4));
      case 0xd3:
        return exact(this.view.getBigInt64(this.skip(1, 8)));
      case 0xd9:
        return this.string(2, this.view.getUint8(this.ahead(2) + 1));
      case 0xda:
        return this.string(3, this.view.getUint16(this.ahead(3) + 1));
      case 0xdb:
        return this.string(5, this.view.getUint32(this.ahead(5) + 1));
      case 0xdc:
        return this.list(this.view.getUint16(this.ahead(3) + 1), 3, depth);
      case 0xdd:
        return this.list(this.view.getUint32(this.ahead(5) + 1), 5, depth);
      default:
        throw new FrameError(`Frames have no msgpack type 0x${head.toString(16)}.`);
    }
  }

  private map(entries: number, depth: number): Value {
    // Without a prototype, so that a key such as `__proto__` has no special meaning.
    const map: { [key: string]: Value } = Object.create(null);
    for (let i = 0; i < entries; i++) {
      const key = this.key();
      if (key === "bytes" && "dtype" in map && "shape" in map && "pad" in map)
        return this.array(map, entries, i);
      map[key] = this.value(depth + 1);
    }
    return map;
  }

  private array(head: { [key: string]: Value }, entries: number, entry: number): ArrayValue {
    const { dtype, shape } = head;
    const size = typeof dtype === "string" ? itemSize(dtype) : undefined;
    if (typeof dtype !== "string" || size === undefined)
      throw new FrameError(`Frames have no dtype ${String(dtype)}.`);
    if (!Array.isArray(shape) || !shape.every((one) => Number.isSafeInteger(one) && (one as number) >= 0))
      throw new FrameError("An array's shape is not a list of lengths.");
    const bytes = this.value(DEEPEST);
    const expected = (shape as number[]).reduce((product, one) => product * one, size);
    if (!(bytes instanceof Uint8Array) || bytes.byteLength !== expected || entry !== entries - 1)
      throw new FrameError(`An array of ${dtype} and shape ${shape.join("×")} has ${expected} bytes.`);
    const aligned = bytes.byteOffset % 8 === 0;
    const data = aligned
      ? view(dtype, this.buffer, bytes.byteOffset, expected)
      : view(dtype, bytes.slice().buffer, 0, expected);
    return { dtype, shape: shape as number[], data };
  }

  private list(count: number, head: number, depth: number): Value[] {
    this.skip(head, 0);
    this.checked(count, 1);
    const list: Value[] = [];
    for (let i = 0; i < count; i++) list.push(this.value(depth + 1));
    return list;
  }

  private string(head: number, length: number): string {
    const from = this.skip(head, length);
    try {
      return this.text.decode(this.bytes.subarray(from, from + length));
    } catch {
      throw new FrameError("A text is not UTF-8.");
    }
  }

  private binary(head: number, length: number): Uint8Array {
    const from = this.skip(head, length);
    return this.bytes.subarray(from, from + length);
  }

  /** Step over `head` and `length` bytes; where the second began. */
  private skip(head: number, length: number): number {
    this.ahead(head + length);
    this.at += head + length;
    return this.at - length;
  }

  private ahead(length: number): number {
    if (this.at + length > this.end) throw new FrameError("The frame is cut off.");
    return this.at;
  }

  private peek(): number {
    return this.bytes[this.ahead(1)]!;
  }

  /** No container has more items than remaining bytes, so that a false length cannot reserve memory. */
  private checked(count: number, bytesEach: number): number {
    this.ahead(count * bytesEach);
    return count;
  }
}

function exact(number: bigint): number | bigint {
  const plain = Number(number);
  return Number.isSafeInteger(plain) ? plain : number;
}
