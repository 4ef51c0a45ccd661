// Structures for the scenarios, encoded as frames without Python: water in a box.

/** The same random numbers in every run. @param {number} seed */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * About so many atoms of water in a periodic box.
 * @param {number} atoms
 * @returns {{ numbers: number[]; positions: number[]; edge: number }}
 */
export function water(atoms, random = seeded(5)) {
  const side = Math.max(1, Math.round((atoms / 3) ** (1 / 3)));
  const gap = 3.1;
  const edge = side * gap;
  const numbers = [];
  const positions = [];
  const wrap = (x) => ((x % edge) + edge) % edge;
  for (let n = 0; n < side ** 3; n++) {
    const cell = [Math.floor(n / side ** 2), Math.floor(n / side) % side, n % side];
    const oxygen = cell.map((x) => (x + 0.5) * gap + (random() - 0.5) * 0.8);
    const one = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
    const other = unit(cross(one, [random() - 0.5, random() - 0.5, random() - 0.5]));
    const angle = (104.5 * Math.PI) / 180;
    const second = one.map((x, part) => x * Math.cos(angle) + other[part] * Math.sin(angle));
    numbers.push(8, 1, 1);
    for (const way of [[0, 0, 0], one, second])
      positions.push(...oxygen.map((x, part) => wrap(x + 0.96 * way[part])));
  }
  return { numbers, positions, edge };
}

/**
 * Frames of a structure whose atoms move a little more with each.
 * @param {{ numbers: number[]; positions: number[]; edge: number }} structure
 * @param {number} count
 * @returns {Generator<Buffer>}
 */
export function* shaken({ numbers, positions, edge }, count, random = seeded(9)) {
  const places = Float64Array.from(positions);
  const charges = Float64Array.from(
    numbers,
    (number) => (number === 8 ? -0.82 : 0.41) + (random() - 0.5) * 0.1,
  );
  for (let frame = 0; frame < count; frame++) {
    const forces = Float64Array.from(places, () => (random() - 0.5) * 2);
    for (let i = 0; i < places.length; i++) places[i] += forces[i] * 0.02;
    yield encoded({
      "arrays.numbers": ["<i8", [numbers.length], BigInt64Array.from(numbers, BigInt)],
      "arrays.positions": ["<f8", [numbers.length, 3], places.slice()],
      cell: ["<f8", [3, 3], Float64Array.from([edge, 0, 0, 0, edge, 0, 0, 0, edge])],
      pbc: ["|b1", [3], Uint8Array.from([1, 1, 1])],
      "calc.forces": ["<f8", [numbers.length, 3], forces],
      "calc.charges": ["<f8", [numbers.length], charges],
      "calc.energy": frame - numbers.length,
    });
  }
}

/**
 * One frame of a stream: its length, the msgpack map, padding. A value is plain (numbers, texts, short lists and
 * maps), or dtype, shape and data of an array.
 * @param {Record<string, any>} values
 */
export function encoded(values) {
  const parts = [];
  let at = 0;
  const put = (bytes) => {
    parts.push(Buffer.from(bytes));
    at += bytes.length;
  };
  const word = (size) => [(size >>> 24) & 255, (size >>> 16) & 255, (size >>> 8) & 255, size & 255];
  /** Short texts have their length in their first byte. */
  const text = (string) => put([0xa0 | string.length, ...Buffer.from(string)]);
  /** Numbers, texts, and lists and maps of a few of them. */
  const plain = (value) => {
    if (typeof value === "string") text(value);
    else if (typeof value === "number") {
      const double = Buffer.alloc(9);
      double[0] = 0xcb;
      double.writeDoubleBE(value, 1);
      put(double);
    } else if (Array.isArray(value)) {
      put([0x90 | value.length]);
      value.forEach(plain);
    } else {
      put([0x80 | Object.keys(value).length]);
      for (const [key, one] of Object.entries(value)) {
        text(key);
        plain(one);
      }
    }
  };
  put([0xdf, ...word(Object.keys(values).length)]);
  for (const [key, value] of Object.entries(values)) {
    text(key);
    if (!ArrayBuffer.isView(value[2])) {
      plain(value);
      continue;
    }
    const [dtype, shape, data] = value;
    put([0x84]);
    text("dtype");
    text(dtype);
    text("shape");
    put([0x90 | shape.length]);
    for (const length of shape) put([0xce, ...word(length)]);
    text("pad");
    // Behind the pad's own two bytes come the key "bytes" (6) and the head of the content (5).
    const pad = -(at + 13) & 7;
    put([0xc4, pad, ...new Uint8Array(pad)]);
    text("bytes");
    put([0xc6, ...word(data.byteLength)]);
    put(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(body.length));
  return Buffer.concat([head, body, Buffer.alloc(-body.length & 7)]);
}

/**
 * A frame of a few atoms: elements, positions, and further values.
 * @param {number[]} numbers
 * @param {number[]} positions
 * @param {{ edge?: number } & Record<string, any>} [more] `edge` is that of a periodic cube
 */
export function smallFrame(numbers, positions, { edge, ...more } = {}) {
  const cell = edge
    ? {
        cell: ["<f8", [3, 3], Float64Array.from([edge, 0, 0, 0, edge, 0, 0, 0, edge])],
        pbc: ["|b1", [3], Uint8Array.from([1, 1, 1])],
      }
    : {};
  return encoded({
    "arrays.numbers": ["<i8", [numbers.length], BigInt64Array.from(numbers, BigInt)],
    "arrays.positions": ["<f8", [numbers.length, 3], Float64Array.from(positions)],
    ...cell,
    ...more,
  });
}

function unit(vector) {
  const size = Math.hypot(...vector) || 1;
  return vector.map((part) => part / size);
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/**
 * Append frames to a room.
 * @param {import("./server.mjs").Server} server
 * @param {import("./pages.mjs").Session} session
 * @param {string} room
 * @param {Iterable<Buffer>} frames
 */
export function addFrames(server, session, room, frames) {
  return server.call("POST", `/api/rooms/${room}/frames?action=extend`, {
    token: session.token,
    body: Buffer.concat([...frames]),
    headers: { "Content-Type": "application/vnd.workroom.frames" },
  });
}
