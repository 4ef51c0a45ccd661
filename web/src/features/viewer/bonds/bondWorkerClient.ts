/** Asks the worker for bonds. Only the newest question counts: while it is busy, older ones are dropped. */
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

  constructor(private readonly found: (cylinders: Int32Array<ArrayBuffer>, atoms: number) => void) {
    this.worker = new Worker(new URL("./bonds.worker.ts", import.meta.url), {
      type: "module",
      name: "bonds",
    });
    this.worker.addEventListener("message", ({ data }: MessageEvent<BondAnswer>) => this.answer(data));
  }

  request({ positions, numbers, cell, pbc, tolerance }: BondQuery): void {
    // Copies: the frame's own arrays are views of a buffer that stays here.
    const request: CopiedRequest = {
      ticket: ++this.ticket,
      positions: Float32Array.from(positions),
      numbers: Int32Array.from(numbers),
      cell: cell ? Float64Array.from(cell) : null,
      pbc: pbc ? Array.from(pbc) : null,
      tolerance,
    };
    if (this.busy) this.queued = request;
    else this.send(request);
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
  }
}
