/** Finds bonds beside the main thread, so that a large structure does not stop the page. */
import { type BondQuery, findBonds } from "./find";
import { cylinders } from "./halves";

export interface BondRequest extends BondQuery {
  readonly ticket: number;
}

export interface BondAnswer {
  readonly ticket: number;
  readonly cylinders: Int32Array<ArrayBuffer>;
}

self.addEventListener("message", ({ data }: MessageEvent<BondRequest>) => {
  const drawn = cylinders(findBonds(data));
  const answer: BondAnswer = { ticket: data.ticket, cylinders: drawn };
  self.postMessage(answer, { transfer: [drawn.buffer] });
});
