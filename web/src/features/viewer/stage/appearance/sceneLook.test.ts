import { expect, test } from "vitest";
import {
  DEFAULT_LOOK,
  LOOK_PRESETS,
  lightDirection,
  lookOf,
  MATERIALS,
  materialName,
  materialOf,
  presetOf,
  roomMaterial,
} from "./sceneLook";
import { DEFAULT_STYLE } from "./style";
import { DARK, LIGHT, themeWith } from "./theme";

test("each preset is recognised, and a change of it is none", () => {
  for (const { name, look } of LOOK_PRESETS) expect(presetOf({ ...DEFAULT_STYLE, ...look })).toBe(name);
  expect(presetOf(DEFAULT_STYLE)).toBe("Standard");
  expect(presetOf({ ...DEFAULT_STYLE, light: 1.4 })).toBeNull();
  expect(lookOf(DEFAULT_STYLE)).toEqual(DEFAULT_LOOK);
});

test("the user's material comes before that of the room, and an unknown one is matte", () => {
  const [standard, , glossy] = MATERIALS;
  expect(materialOf(DEFAULT_LOOK, "matte")).toEqual(standard.material);
  expect(materialOf(DEFAULT_LOOK, "shiny")).toEqual(glossy.material);
  expect(materialOf({ ...DEFAULT_LOOK, material: standard.material }, "shiny")).toEqual(standard.material);
  expect(roomMaterial("toString")).toBe("matte");
  for (const { name, material } of MATERIALS) expect(materialName({ ...material })).toBe(name);
  expect(materialName({ ...standard.material, shine: 0.3 })).toBeNull();
});

test("the light comes from where it is put", () => {
  expect(lightDirection([0, 0])).toEqual([0, 0, 1]);
  const [x, y, z] = lightDirection([90, 0]);
  expect([x, y]).toEqual([1, 0]);
  expect(z).toBeCloseTo(0);
  expect(lightDirection([0, 90])[1]).toBe(1);
  expect(Math.hypot(...lightDirection(DEFAULT_LOOK.lightFrom))).toBeCloseTo(1);
});

test("lines and texts have contrast with a background of the user", () => {
  expect(themeWith(LIGHT, null)).toBe(LIGHT);
  expect(themeWith(LIGHT, "#000000")).toEqual({ ...DARK, background: "#000000" });
  expect(themeWith(DARK, "#ffffff")).toEqual({ ...LIGHT, background: "#ffffff" });
});
