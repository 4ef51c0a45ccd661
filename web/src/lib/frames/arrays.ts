/** Arrays inside frames: a dtype, a shape, and a view of the bytes. */

export type TypedArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

export interface ArrayValue {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Complex numbers are pairs, booleans are bytes, half floats are widened, text is code points. */
  readonly data: TypedArray;
}

type View = (buffer: ArrayBuffer, offset: number, bytes: number) => TypedArray;

const VIEWS: Record<string, View> = {
  "|b1": (buffer, offset, bytes) => new Uint8Array(buffer, offset, bytes),
  "|i1": (buffer, offset, bytes) => new Int8Array(buffer, offset, bytes),
  "|u1": (buffer, offset, bytes) => new Uint8Array(buffer, offset, bytes),
  "<i2": (buffer, offset, bytes) => new Int16Array(buffer, offset, bytes / 2),
  "<u2": (buffer, offset, bytes) => new Uint16Array(buffer, offset, bytes / 2),
  "<i4": (buffer, offset, bytes) => new Int32Array(buffer, offset, bytes / 4),
  "<u4": (buffer, offset, bytes) => new Uint32Array(buffer, offset, bytes / 4),
  "<i8": (buffer, offset, bytes) => new BigInt64Array(buffer, offset, bytes / 8),
  "<u8": (buffer, offset, bytes) => new BigUint64Array(buffer, offset, bytes / 8),
  "<f2": (buffer, offset, bytes) => widened(new Uint16Array(buffer, offset, bytes / 2)),
  "<f4": (buffer, offset, bytes) => new Float32Array(buffer, offset, bytes / 4),
  "<f8": (buffer, offset, bytes) => new Float64Array(buffer, offset, bytes / 8),
  "<c8": (buffer, offset, bytes) => new Float32Array(buffer, offset, bytes / 4),
  "<c16": (buffer, offset, bytes) => new Float64Array(buffer, offset, bytes / 8),
};

const SIZES: Record<string, number> = { "<c8": 8, "<c16": 16 };
const TEXT = /^<U([1-9]\d{0,2})$/;

/** The item size in bytes; undefined for a dtype that frames do not have. */
export function itemSize(dtype: string): number | undefined {
  const text = TEXT.exec(dtype);
  if (text) {
    const length = Number(text[1]!);
    return length <= 256 ? 4 * length : undefined;
  }
  return Object.hasOwn(VIEWS, dtype) ? (SIZES[dtype] ?? Number(dtype.slice(2))) : undefined;
}

export function view(dtype: string, buffer: ArrayBuffer, offset: number, bytes: number): TypedArray {
  return TEXT.test(dtype) ? new Uint32Array(buffer, offset, bytes / 4) : VIEWS[dtype]!(buffer, offset, bytes);
}

export function isArray(value: unknown): value is ArrayValue {
  return (
    typeof value === "object" && value !== null && "dtype" in value && "shape" in value && "data" in value
  );
}

/** Whether its items are plain numbers that can be drawn, coloured by or counted. */
export function isNumeric(value: unknown): value is ArrayValue {
  return isArray(value) && !value.dtype.startsWith("<U") && !value.dtype.startsWith("<c");
}

/** How many numbers belong to each item of the first axis. */
export function rowLength(array: ArrayValue): number {
  return array.shape.slice(1).reduce((product, length) => product * length, 1);
}

/** The numbers as floats; float arrays are returned as they are. */
export function asFloats(array: ArrayValue): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> {
  const { data } = array;
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Float64Array.from(data, Number);
  return Float64Array.from(data);
}

/** Integers as 32-bit integers. Of 64-bit integers only the lower half is read, which suffices for atomic numbers. */
export function asIndices(array: ArrayValue): Int32Array<ArrayBuffer> {
  const { data } = array;
  if (data instanceof Int32Array) return data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const halves = new Int32Array(data.buffer, data.byteOffset, data.length * 2);
    const lower = new Int32Array(data.length);
    for (let i = 0; i < lower.length; i++) lower[i] = halves[2 * i]!;
    return lower;
  }
  return Int32Array.from(data as Float64Array);
}

/** One item of the first axis as text: "0.12, −1.4, 3". */
export function rowText(array: ArrayValue, row: number, digits = 4): string {
  const per = rowLength(array);
  const { dtype, data } = array;
  const text = TEXT.exec(dtype);
  if (text) {
    const length = Number(text[1]!);
    return textAt(data as Uint32Array, row * per * length, length);
  }
  const pair = dtype.startsWith("<c") ? 2 : 1;
  const parts: string[] = [];
  for (let i = row * per * pair; i < (row + 1) * per * pair && parts.length < 9; i++) {
    const number = data[i]!;
    if (dtype === "|b1") parts.push(number ? "yes" : "no");
    else
      parts.push(
        typeof number === "bigint" || Number.isInteger(number) ? String(number) : readable(number, digits),
      );
  }
  return parts.join(", ");
}

function readable(number: number, digits: number): string {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? number.toExponential(2) : number.toFixed(digits);
}

function textAt(points: Uint32Array, start: number, length: number): string {
  let end = start + length;
  while (end > start && points[end - 1]! === 0) end--;
  let text = "";
  for (let i = start; i < end; i++)
    text += points[i]! <= 0x10ffff ? String.fromCodePoint(points[i]!) : "\ufffd";
  return text;
}

function widened(halves: Uint16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(halves, (half) => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
    if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
  });
}
