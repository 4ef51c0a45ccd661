// Makes surfaces beside the main thread.
import { downsample, surfaceNets } from "./isosurface";

export interface SurfaceRequest {
  readonly ticket: number;
  readonly values: Float32Array<ArrayBuffer>;
  readonly shape: readonly [number, number, number];
  readonly levels: readonly number[];
  readonly step: number;
}

export interface SurfaceAnswer {
  readonly ticket: number;
  readonly surfaces: { positions: Float32Array<ArrayBuffer>; triangles: Uint32Array<ArrayBuffer> }[];
}

self.addEventListener("message", ({ data }: MessageEvent<SurfaceRequest>) => {
  const grid = downsample(data, data.step);
  const surfaces = data.levels.map((level) => surfaceNets(grid, level));
  const answer: SurfaceAnswer = { ticket: data.ticket, surfaces };
  self.postMessage(answer, {
    transfer: surfaces.flatMap(({ positions, triangles }) => [positions.buffer, triangles.buffer]),
  });
});
