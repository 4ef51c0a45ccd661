// Computes isosurfaces in a web worker.
import { sampled, surfaceNets } from "./isosurface";

export interface SurfaceRequest {
  readonly ticket: number;
  readonly values: Float32Array<ArrayBuffer>;
  readonly shape: readonly [number, number, number];
  readonly levels: readonly number[];
  readonly step: number;
  /** Along which axes the grid goes on in the next cell. */
  readonly periodic: readonly boolean[];
}

export interface SurfaceAnswer {
  readonly ticket: number;
  readonly surfaces: { positions: Float32Array<ArrayBuffer>; triangles: Uint32Array<ArrayBuffer> }[];
}

self.addEventListener("message", ({ data }: MessageEvent<SurfaceRequest>) => {
  const grid = sampled(data, data.step, data.periodic);
  const surfaces = data.levels.map((level) => surfaceNets(grid, level));
  const answer: SurfaceAnswer = { ticket: data.ticket, surfaces };
  self.postMessage(answer, {
    transfer: surfaces.flatMap(({ positions, triangles }) => [positions.buffer, triangles.buffer]),
  });
});
