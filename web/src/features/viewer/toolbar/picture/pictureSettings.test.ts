import { expect, test } from "vitest";
import { pictureScale } from "./pictureSettings";

test("a picture is some times as large as the scene, or has a width in pixels", () => {
  expect((["1x", "2x", "4x"] as const).map((size) => pictureScale({ size, width: 10 }, 800))).toEqual([
    1, 2, 4,
  ]);
  expect(800 * pictureScale({ size: "width", width: 3_000 }, 800)).toBeCloseTo(3_000);
});
