/** A stream of frames: 8 bytes of length, the frame, zeros up to a multiple of 8; and again. */
import { decodeFrame, type Frame, FrameError } from "./decode";

const LARGEST = 2 ** 31;

/**
 * The frames of a response body, one by one. Bytes are read on demand: a consumer that pauses applies back-pressure to
 * the server, and leaving the loop cancels the request.
 */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const source = new Source(body.getReader());
  try {
    for (;;) {
      const head = await source.take(8, true);
      if (head === null) return;
      const length = frameLength(new DataView(head), 0);
      const padded = length + (-length & 7);
      const bytes = await source.take(padded, false);
      if (bytes === null) throw new FrameError("The stream ends within a frame.");
      yield decodeFrame(bytes, 0, length);
    }
  } finally {
    await source.close();
  }
}

/** All frames of a buffer that holds a whole stream. */
export function framesIn(buffer: ArrayBuffer): Frame[] {
  const frames: Frame[] = [];
  const view = new DataView(buffer);
  for (let at = 0; at < buffer.byteLength; ) {
    if (at + 8 > buffer.byteLength) throw new FrameError("The stream ends within a frame.");
    const length = frameLength(view, at);
    frames.push(decodeFrame(buffer, at + 8, length));
    at += 8 + length + (-length & 7);
  }
  return frames;
}

function frameLength(view: DataView, at: number): number {
  const length = view.getBigUint64(at, true);
  if (length > BigInt(LARGEST)) throw new FrameError(`A frame of ${length} bytes is too large.`);
  return Number(length);
}

/** Takes exact numbers of bytes from chunks of any size. */
class Source {
  private chunk: Uint8Array = new Uint8Array(0);

  constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  /** The next `count` bytes in a buffer of their own; null if the stream ended before the first and may end there. */
  async take(count: number, mayEnd: boolean): Promise<ArrayBuffer | null> {
    let bytes: Uint8Array<ArrayBuffer> | null = null;
    let filled = 0;
    while (filled < count || bytes === null) {
      if (this.chunk.length === 0) {
        const { done, value } = await this.reader.read();
        if (done) {
          if (mayEnd && filled === 0) return null;
          throw new FrameError("The stream ends within a frame.");
        }
        this.chunk = value;
      }
      // Only made when the first bytes are there: a length alone does not reserve memory.
      bytes ??= new Uint8Array(count);
      const part = this.chunk.subarray(0, count - filled);
      bytes.set(part, filled);
      filled += part.length;
      this.chunk = this.chunk.subarray(part.length);
    }
    return bytes.buffer;
  }

  async close(): Promise<void> {
    try {
      await this.reader.cancel();
    } catch {
      // The stream had failed; its error has been thrown already.
    }
  }
}
