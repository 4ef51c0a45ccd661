/** Elements that are metals, by atomic number. */

/** Hydrogen, noble gases, metalloids and other nonmetals. */
const NONMETALS = new Set([
  0, 1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 32, 33, 34, 35, 36, 51, 52, 53, 54, 85, 86, 117, 118,
]);

export function isMetal(number: number): boolean {
  return number > 0 && number < 119 && !NONMETALS.has(number);
}
