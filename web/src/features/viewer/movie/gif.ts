/** Writes an animated GIF, frame by frame. */
import { keyOf, paletteOf } from "./palette";

const MOST_CODES = 4096;
const CODE_BITS = 8;

export class GifWriter {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];

  constructor(
    private readonly width: number,
    private readonly height: number,
    /** How long each frame is shown. Times are hundredths of a second, and viewers show none shorter than two. */
    private readonly seconds: number,
  ) {
    this.parts.push(
      bytes(text("GIF89a"), word(width), word(height), [0x70, 0, 0]),
      // Without this extension an animation plays once.
      bytes([0x21, 0xff, 11], text("NETSCAPE2.0"), [3, 1, 0, 0, 0]),
    );
  }

  add({ data }: { readonly data: Uint8ClampedArray }): void {
    const { colours, lookup } = paletteOf(data);
    const pixels = new Uint8Array(this.width * this.height);
    for (let at = 0; at < pixels.length; at++)
      pixels[at] = lookup[keyOf(data[4 * at]!, data[4 * at + 1]!, data[4 * at + 2]!)]!;
    this.parts.push(
      bytes([0x21, 0xf9, 4, 0], word(Math.max(2, Math.round(100 * this.seconds))), [0, 0]),
      bytes([0x2c], word(0), word(0), word(this.width), word(this.height), [0x87]),
      Uint8Array.from(colours),
      compressed(pixels),
    );
  }

  end(): Blob {
    return new Blob([...this.parts, bytes([0x3b])], { type: "image/gif" });
  }
}

function bytes(...parts: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flat());
}

function word(value: number): number[] {
  return [value & 255, (value >> 8) & 255];
}

function text(value: string): number[] {
  return Array.from(value, (letter) => letter.charCodeAt(0));
}

/** LZW with codes of variable length, in blocks of at most 255 bytes. */
function compressed(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const [clear, end] = [1 << CODE_BITS, (1 << CODE_BITS) + 1];
  const out: number[] = [];
  let [buffer, filled] = [0, 0];
  const write = (code: number, bits: number) => {
    buffer |= code << filled;
    filled += bits;
    for (; filled >= 8; filled -= 8, buffer >>>= 8) out.push(buffer & 255);
  };
  // The code of each known sequence, by the code of its beginning and its last pixel.
  const table = new Int16Array(MOST_CODES << CODE_BITS).fill(-1);
  let next = end + 1;
  let bits = CODE_BITS + 1;
  write(clear, bits);
  let current = pixels[0] ?? 0;
  for (let at = 1; at < pixels.length; at++) {
    const pixel = pixels[at]!;
    const sequence = (current << CODE_BITS) | pixel;
    if (table[sequence]! >= 0) {
      current = table[sequence]!;
      continue;
    }
    write(current, bits);
    if (next < MOST_CODES) {
      table[sequence] = next;
      if (next === 1 << bits) bits++;
      next++;
    } else {
      write(clear, bits);
      table.fill(-1);
      next = end + 1;
      bits = CODE_BITS + 1;
    }
    current = pixel;
  }
  write(current, bits);
  write(end, bits);
  if (filled > 0) out.push(buffer & 255);
  const blocks = new Uint8Array(out.length + Math.ceil(out.length / 255) + 2);
  blocks[0] = CODE_BITS;
  let used = 1;
  for (let from = 0; from < out.length; from += 255) {
    const part = out.slice(from, from + 255);
    blocks[used++] = part.length;
    blocks.set(part, used);
    used += part.length;
  }
  return blocks.slice(0, used + 1);
}
