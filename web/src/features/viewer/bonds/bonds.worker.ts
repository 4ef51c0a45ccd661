/** Finds bonds in a web worker, so that a large structure does not block the page. */

import { bondCylinders } from "./bondCylinders";
import { type BondQuery, findBonds } from "./findBonds";
import { givenBonds } from "./givenBonds";

export interface BondRequest extends BondQuery {
  readonly ticket: number;
  /** The bonds that the frame gives; null to find them by distance. */
  readonly connectivity: Float64Array | null;
}

export interface BondAnswer {
  readonly ticket: number;
  readonly cylinders: Int32Array<ArrayBuffer>;
}

self.addEventListener("message", ({ data }: MessageEvent<BondRequest>) => {
  const given = data.connectivity ? givenBonds(data, data.connectivity) : null;
  const drawn = given ? bondCylinders(given.bonds, given.orders) : bondCylinders(findBonds(data));
  const answer: BondAnswer = { ticket: data.ticket, cylinders: drawn };
  self.postMessage(answer, { transfer: [drawn.buffer] });
});
