/** Principal components of the frames: the two directions in which their properties differ most. */

const ROUNDS = 200;

/** Two coordinates for each row. Columns are scaled to equal spread; those without spread or with gaps are left out. */
export function principalComponents(
  columns: readonly (readonly number[])[],
): { x: number[]; y: number[] } | null {
  const usable = columns.map(standardised).filter((column) => column !== null);
  const rows = usable[0]?.length ?? 0;
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
  const project = (direction: readonly number[]) =>
    Array.from({ length: rows }, (_, row) => {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += direction[at]! * usable[at]![row]!;
      return sum;
    });
  return { x: project(first), y: project(second) };
}

function standardised(column: readonly number[]): number[] | null {
  if (!column.every(Number.isFinite)) return null;
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
