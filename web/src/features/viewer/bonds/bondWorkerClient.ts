/** Requests bonds from the worker. While the worker is busy, only the newest request is kept. */
import type { BondAnswer, BondRequest } from "./bonds.worker";
import type { BondQuery } from "./findBonds";

interface CopiedRequest extends BondRequest {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly numbers: Int32Array<ArrayBuffer>;
}

export class BondWorkerClient {
  private readonly worker: Worker;
  private ticket = 0;
  private busy = false;
  private queued: CopiedRequest | null = null;
  private atoms = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly found: (cylinders: Int32Array<ArrayBuffer>, atoms: number) => void) {
    this.worker = new Worker(new URL("./bonds.worker.ts", import.meta.url), {
      type: "module",
      name: "bonds",
    });
    this.worker.addEventListener("message", ({ data }: MessageEvent<BondAnswer>) => this.answer(data));
  }

  request(
    { positions, numbers, cell, pbc, tolerance, metals }: BondQuery,
    connectivity: Float64Array<ArrayBuffer> | null,
  ): void {
    // The arrays are copied, because the frame's arrays are views of a buffer that stays on this thread.
    const request: CopiedRequest = {
      ticket: ++this.ticket,
      positions: Float32Array.from(positions),
      numbers: Int32Array.from(numbers),
      cell: cell ? Float64Array.from(cell) : null,
      pbc: pbc ? Array.from(pbc) : null,
      tolerance,
      metals,
      connectivity,
    };
    if (this.busy) this.queued = request;
    else this.send(request);
  }

  /** Until the bonds of the last request are found. */
  idle(): Promise<void> {
    if (!this.busy) return Promise.resolve();
    return new Promise((done) => this.waiting.push(done));
  }

  dispose(): void {
    this.worker.terminate();
  }

  private send(request: CopiedRequest): void {
    this.busy = true;
    this.atoms = request.numbers.length;
    this.worker.postMessage(request, [request.positions.buffer, request.numbers.buffer]);
  }

  private answer({ cylinders }: BondAnswer): void {
    this.busy = false;
    this.found(cylinders, this.atoms);
    const next = this.queued;
    this.queued = null;
    if (next) this.send(next);
    else for (const done of this.waiting.splice(0)) done();
  }
}
