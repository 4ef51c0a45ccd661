/**
 * Frames as the server sends them: msgpack in which every array starts at a multiple of eight bytes, so that arrays are
 * typed views of what came over the network and nothing is copied.
 */
export {
  type ArrayValue,
  asFloats,
  asIndices,
  isArray,
  isNumeric,
  rowLength,
  rowText,
  type TypedArray,
} from "./arrays";
export { decodeFrame, type Frame, FrameError, type Value } from "./decode";
export { framesIn, readFrames } from "./stream";
