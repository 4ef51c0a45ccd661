/** Encodes frames as far as the app writes them: numbers, texts, and arrays with their padding. */
import type { ArrayValue } from "./arrays";
import { isArray } from "./arrays";

type Plain = null | boolean | number | string | ArrayValue | Plain[];

/** One frame of a stream, with its length before it and the padding behind it. */
export function encodeFrame(values: Record<string, Plain>): Uint8Array<ArrayBuffer> {
  const writer = new FrameWriter();
  writer.map(Object.entries(values).length);
  for (const [key, value] of Object.entries(values)) {
    writer.value(key);
    writer.value(value);
  }
  return writer.finish();
}

export class FrameWriter {
  private bytes = new Uint8Array(1024);
  private at = 8; // behind the length, so offsets are the frame's own modulo 8

  map(entries: number): void {
    this.put([0xdf, ...uint32Bytes(entries)]);
  }

  value(value: Plain): void {
    if (value === null) this.put([0xc0]);
    else if (typeof value === "boolean") this.put([value ? 0xc3 : 0xc2]);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "string") this.text(value);
    else if (isArray(value)) this.array(value);
    else {
      this.put(value.length < 16 ? [0x90 | value.length] : [0xdd, ...uint32Bytes(value.length)]);
      for (const item of value) this.value(item);
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    const length = this.at - 8;
    this.put(new Uint8Array(-length & 7));
    new DataView(this.bytes.buffer).setBigUint64(0, BigInt(length), true);
    return this.bytes.slice(0, this.at);
  }

  private number(number: number): void {
    const head = new DataView(new ArrayBuffer(9));
    const whole = Number.isSafeInteger(number) && !Object.is(number, -0);
    head.setUint8(0, whole ? 0xd3 : 0xcb);
    if (whole) head.setBigInt64(1, BigInt(number));
    else head.setFloat64(1, number);
    this.put(new Uint8Array(head.buffer));
  }

  private text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.put(bytes.length < 32 ? [0xa0 | bytes.length] : [0xdb, ...uint32Bytes(bytes.length)]);
    this.put(bytes);
  }

  private array({ dtype, shape, data }: ArrayValue): void {
    this.put([0x84]);
    this.text("dtype");
    this.text(dtype);
    this.text("shape");
    this.value([...shape]);
    this.text("pad");
    // After the padding come the key "bytes" (6) and the header of the content (5).
    this.pad(11);
    this.text("bytes");
    this.put([0xc6, ...uint32Bytes(data.byteLength)]);
    this.put(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }

  /** The padding after which `behind` bytes end at a multiple of 8. */
  pad(behind: number): void {
    const pad = -(this.at + 2 + behind) & 7;
    this.put([0xc4, pad]);
    this.put(new Uint8Array(pad));
  }

  put(bytes: ArrayLike<number>): void {
    while (this.at + bytes.length > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
}

function uint32Bytes(number: number): number[] {
  return [(number >>> 24) & 0xff, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff];
}
