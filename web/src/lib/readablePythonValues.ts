// Values of jobs that JSON cannot represent, as people read them. `{"~": ["tuple", [1, 2]]}` is a tuple; the server's
// `domain/values/codec` writes them. Numbers of NumPy become numbers, and arrays lists.
import { element } from "@/lib/atoms/elements";

const TAG = "~";
/** Longer arrays are cut: no page shows more. */
const MOST_ELEMENTS = 10_000;

type Read = (data: DataView, at: number) => unknown;

const READ: Readonly<Record<string, Read>> = {
  b1: (data, at) => data.getUint8(at) !== 0,
  i1: (data, at) => data.getInt8(at),
  u1: (data, at) => data.getUint8(at),
  i2: (data, at) => data.getInt16(at, true),
  u2: (data, at) => data.getUint16(at, true),
  i4: (data, at) => data.getInt32(at, true),
  u4: (data, at) => data.getUint32(at, true),
  i8: (data, at) => wholeNumber(data.getBigInt64(at, true)),
  u8: (data, at) => wholeNumber(data.getBigUint64(at, true)),
  f2: (data, at) => finite(half(data.getUint16(at, true))),
  f4: (data, at) => finite(Number(data.getFloat32(at, true).toPrecision(7))),
  f8: (data, at) => finite(data.getFloat64(at, true)),
  c8: (data, at) => complex(data.getFloat32(at, true), data.getFloat32(at + 4, true)),
  c16: (data, at) => complex(data.getFloat64(at, true), data.getFloat64(at + 8, true)),
};

/** The value without tags: numbers, texts, lists and records. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const packed = (value as Record<string, unknown>)[TAG];
  if (Array.isArray(packed) && typeof packed[0] === "string" && Object.keys(value).length === 1) {
    try {
      return unpacked(packed[0], packed[1] as never);
    } catch {
      return `(${packed[0]})`;
    }
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(inner)]));
}

function unpacked(kind: string, content: never): unknown {
  const parts = content as unknown[];
  switch (kind) {
    case "int":
      return wholeNumber(BigInt(content));
    case "float":
      return finite(Number(content), content);
    case "text":
      return new TextDecoder("utf-16le").decode(bytesOf(content));
    case "bytes":
    case "bytearray":
      return `${bytesOf(content).length} bytes`;
    case "tuple":
    case "set":
    case "frozenset":
      return parts.map(readable);
    case "dict":
      return Object.fromEntries(
        (content as [unknown, unknown][]).map(([key, inner]) => [asWord(readable(key)), readable(inner)]),
      );
    case "datetime": {
      const [naive, zone] = content as [string, string | number[] | null];
      return `${naive.replace("T", " ")}${typeof zone === "string" ? ` ${zone}` : zone ? offset(zone) : ""}`;
    }
    case "time":
      return parts[0];
    case "timedelta": {
      const [days, seconds, micros] = content as number[];
      return `${days! * 86_400 + seconds! + micros! / 1e6} s`;
    }
    case "uuid":
      return (content as string).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    case "complex":
      return complex(Number(parts[0]), Number(parts[1]));
    case "range":
    case "slice":
      return `${kind}(${parts.map((part) => part ?? "None").join(", ")})`;
    case "numpy":
    case "array":
      return elements(content as [unknown, number[], string]);
    case "objects": {
      const [shape, items] = content as [number[], unknown[]];
      return nested(items.map(readable), shape);
    }
    case "enum":
      return parts[2] === null ? readable(parts[3]) : `${String(parts[1])}.${String(parts[2])}`;
    case "dataclass":
    case "namedtuple":
      return readable(parts[2]);
    case "model":
      return readable((parts[2] as Record<string, unknown>).__dict__);
    case "atoms": {
      const arrays = (content as { arrays: Record<string, unknown> }).arrays;
      return `Atoms(${formula(readable(arrays.numbers) as number[])})`;
    }
    default:
      return readable(content);
  }
}

function elements([layout, shape, content]: [unknown, number[], string]): unknown {
  const size = shape.reduce((product, length) => product * length, 1);
  const found = typeof layout === "string" ? /^[<|=]([a-zA-Z])(\d+)$/.exec(layout) : null;
  if (!found || size > MOST_ELEMENTS) return `array of ${shape.join(" × ") || "one value"}`;
  const bytes = bytesOf(content);
  const data = new DataView(bytes.buffer);
  const [, letter, digits] = found as unknown as [string, string, string];
  const text = letter === "U" || letter === "S";
  const read: Read | undefined = text
    ? (_, at) => fixedText(data, at, Number(digits), letter === "U" ? 4 : 1)
    : READ[letter + digits];
  if (!read) return `array of ${shape.join(" × ") || "one value"}`;
  const width = text ? Number(digits) * (letter === "U" ? 4 : 1) : Number(digits);
  return nested(
    Array.from({ length: size }, (_, at) => read(data, at * width)),
    shape,
  );
}

/** Values in the order of C as nested lists; a single value without a shape. */
function nested(values: readonly unknown[], shape: readonly number[]): unknown {
  if (shape.length === 0) return values[0];
  const [rows, ...inner] = shape as [number, ...number[]];
  if (inner.length === 0) return values;
  const per = inner.reduce((product, length) => product * length, 1);
  return Array.from({ length: rows }, (_, row) => nested(values.slice(row * per, (row + 1) * per), inner));
}

function fixedText(data: DataView, at: number, length: number, width: number): string {
  let text = "";
  for (let n = 0; n < length; n++) {
    const code = width === 4 ? data.getUint32(at + 4 * n, true) : data.getUint8(at + n);
    if (code === 0) break;
    text += String.fromCodePoint(code);
  }
  return text;
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const wholeNumber = (value: bigint) =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
const finite = (value: number, text?: string) => (Number.isFinite(value) ? value : (text ?? String(value)));
const complex = (real: number, imaginary: number) =>
  `${real}${imaginary < 0 ? "-" : "+"}${Math.abs(imaginary)}j`;
const asWord = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function offset([days = 0, seconds = 0]: number[]): string {
  const minutes = Math.round((days * 86_400 + seconds) / 60);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

function half(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction
          ? Number.NaN
          : Number.POSITIVE_INFINITY
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >> 15 ? -size : size;
}

/** Elements in the order in which they appear, as people write a formula. */
function formula(numbers: readonly number[]): string {
  const counts = new Map<string, number>();
  for (const number of numbers) {
    const { symbol } = element(number);
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  }
  return [...counts].map(([symbol, count]) => (count === 1 ? symbol : symbol + count)).join("");
}
