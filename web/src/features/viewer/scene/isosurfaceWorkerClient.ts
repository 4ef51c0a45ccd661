// Requests isosurfaces from a web worker, which is started with the first request.
import type { SurfaceAnswer, SurfaceRequest } from "./isosurface.worker";

export class IsosurfaceWorkerClient {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, (answer: SurfaceAnswer) => void>();
  private ticket = 0;

  request(request: Omit<SurfaceRequest, "ticket">, done: (answer: SurfaceAnswer) => void): void {
    this.worker ??= this.start();
    const ticket = ++this.ticket;
    this.pending.set(ticket, done);
    this.worker.postMessage({ ...request, ticket } satisfies SurfaceRequest, [request.values.buffer]);
  }

  /** Ignore the answers to all requests so far. */
  forget(): void {
    this.pending.clear();
  }

  dispose(): void {
    this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL("./isosurface.worker.ts", import.meta.url), {
      type: "module",
      name: "surfaces",
    });
    worker.addEventListener("message", ({ data }: MessageEvent<SurfaceAnswer>) => {
      this.pending.get(data.ticket)?.(data);
      this.pending.delete(data.ticket);
    });
    return worker;
  }
}
