import { expect, test } from "vitest";
import { avatarColours } from "./avatarColours";

test("people in a room have different colours, whatever their order, and a person alone always the same", () => {
  const ids = Array.from({ length: 8 }, (_, number) => `person-${number}`);
  const colours = avatarColours(ids);
  expect(new Set(colours.values()).size).toBe(8);
  expect(avatarColours(ids.toReversed())).toEqual(new Map([...colours].sort()));
  expect(avatarColours([...ids, "one", "more"]).size).toBe(10);
});

test("white initials can be read on each colour", () => {
  for (const colour of avatarColours(Array.from({ length: 8 }, (_, number) => `${number}`)).values()) {
    const [r, g, b] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    expect(1.05 / (0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05)).toBeGreaterThanOrEqual(4.5);
  }
});
