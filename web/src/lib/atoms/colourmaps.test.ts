import { expect, test } from "vitest";
import { AUTOMATIC_MAP, COLOUR_MAPS, colourMap, mapFor, paint, rangeOf, shades, ticks } from "./colourmaps";

test("a map's ends are its first and last stop", () => {
  const table = shades(colourMap("viridis"));
  expect([...table.subarray(0, 3)]).toEqual([0x44, 0x01, 0x54]);
  expect([...table.subarray(-3)]).toEqual([0xfd, 0xe7, 0x25]);
});

test("an unknown map is the first one", () => {
  expect(colourMap("no such").name).toBe(COLOUR_MAPS[0]!.name);
});

test("numbers beyond the range get its ends, and what is no number is grey", () => {
  const rgba = new Uint8Array(16).fill(7);
  paint([-9, 9, Number.NaN, 0.5], { min: 0, max: 1 }, shades(colourMap("viridis")), rgba);
  expect([...rgba.subarray(0, 3)]).toEqual([0x44, 0x01, 0x54]);
  expect([...rgba.subarray(4, 7)]).toEqual([0xfd, 0xe7, 0x25]);
  expect([...rgba.subarray(8, 11)]).toEqual([128, 128, 128]);
  expect(rgba[3]!).toBe(7);
});

test("equal numbers all get the middle", () => {
  const rgba = new Uint8Array(8);
  paint([3, 3], rangeOf([3, 3], false), shades(colourMap("grey")), rgba);
  expect([...rgba.subarray(0, 3)]).toEqual([...shades(colourMap("grey")).subarray(3 * 128, 3 * 128 + 3)]);
});

test("a diverging map reaches as far below zero as above", () => {
  expect(rangeOf([-1, 0.5], true)).toEqual({ min: -1, max: 1 });
  expect(rangeOf([1, 2], true)).toEqual({ min: 1, max: 2 });
  expect(rangeOf([Number.NaN], true)).toEqual({ min: 0, max: 1 });
});

test("numbers of both signs get a diverging map unless another one is chosen", () => {
  expect(mapFor(AUTOMATIC_MAP, [-0.8, 0.4]).name).toBe("coolwarm");
  expect(mapFor(AUTOMATIC_MAP, [0, 0.4]).diverging).toBe(false);
  expect(mapFor(AUTOMATIC_MAP, [0.4], true).diverging).toBe(true);
  expect(mapFor("magma", [-0.8, 0.4]).name).toBe("magma");
});

test("ticks are round figures within the range", () => {
  expect(ticks({ min: -0.83, max: 0.41 })).toEqual([-0.75, -0.5, -0.25, 0, 0.25]);
  expect(ticks({ min: 2, max: 2 })).toEqual([2]);
  expect(ticks({ min: 0, max: 1000 })).toEqual([0, 200, 400, 600, 800, 1000]);
});
