/** Finds bonds beside the main thread, so that a large structure does not stop the page. */

import { bondCylinders } from "./bondCylinders";
import { type BondQuery, findBonds } from "./findBonds";

export interface BondRequest extends BondQuery {
  readonly ticket: number;
}

export interface BondAnswer {
  readonly ticket: number;
  readonly cylinders: Int32Array<ArrayBuffer>;
}

self.addEventListener("message", ({ data }: MessageEvent<BondRequest>) => {
  const drawn = bondCylinders(findBonds(data));
  const answer: BondAnswer = { ticket: data.ticket, cylinders: drawn };
  self.postMessage(answer, { transfer: [drawn.buffer] });
});
