/** Principal components of the frames: the two directions in which their properties differ most. */

const ROUNDS = 200;

/**
 * Two coordinates for each row; NaN for rows with a gap. Columns are scaled to equal spread; left out are those without spread,
 * and those that most rows lack.
 */
export function principalComponents(
  columns: readonly (readonly number[])[],
): { x: number[]; y: number[] } | null {
  const known = columns.filter(
    (column) => 2 * column.filter((value) => Number.isFinite(value)).length >= column.length,
  );
  const all = columns[0]?.length ?? 0;
  const whole = Array.from({ length: all }, (_, row) => row).filter((row) =>
    known.every((column) => Number.isFinite(column[row])),
  );
  const usable = known
    .map((column) => standardised(whole.map((row) => column[row]!)))
    .filter((column) => column !== null);
  const rows = whole.length;
  if (usable.length < 2 || rows < 2) return null;
  const size = usable.length;
  const covariance = usable.map((one) =>
    usable.map((other) => one.reduce((sum, value, row) => sum + value * other[row]!, 0) / rows),
  );
  const first = leading(covariance);
  // Without the first component, the leading one of the rest is the second.
  const strength = quadratic(covariance, first);
  const rest = covariance.map((row, i) => row.map((value, j) => value - strength * first[i]! * first[j]!));
  const second = leading(rest, first);
  const project = (direction: readonly number[]) => {
    const along = new Array<number>(all).fill(Number.NaN);
    whole.forEach((place, row) => {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += direction[at]! * usable[at]![row]!;
      along[place] = sum;
    });
    return along;
  };
  return { x: project(first), y: project(second) };
}

function standardised(column: readonly number[]): number[] | null {
  const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
  const spread = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length);
  if (!(spread > 1e-12 * (1 + Math.abs(mean)))) return null;
  return column.map((value) => (value - mean) / spread);
}

/** The eigenvector of the largest eigenvalue, by power iteration, perpendicular to `across`; its largest part is positive. */
function leading(matrix: readonly (readonly number[])[], across: readonly number[] | null = null): number[] {
  let vector = perpendicular(
    matrix.map((_, at) => 1 + at / matrix.length),
    across,
  );
  for (let round = 0; round < ROUNDS; round++) {
    const product = matrix.map((row) => row.reduce((sum, value, at) => sum + value * vector[at]!, 0));
    const next = perpendicular(product, across);
    const length = Math.hypot(...next);
    if (length < 1e-12) break;
    vector = next.map((part) => part / length);
  }
  const length = Math.hypot(...vector);
  const largest = vector.reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best), 0);
  return vector.map((part) => (largest < 0 ? -part : part) / length);
}

function perpendicular(vector: readonly number[], across: readonly number[] | null): number[] {
  if (!across) return [...vector];
  const share = vector.reduce((sum, part, at) => sum + part * across[at]!, 0);
  return vector.map((part, at) => part - share * across[at]!);
}

function quadratic(matrix: readonly (readonly number[])[], vector: readonly number[]): number {
  return matrix.reduce(
    (sum, row, i) => sum + vector[i]! * row.reduce((part, value, j) => part + value * vector[j]!, 0),
    0,
  );
}
