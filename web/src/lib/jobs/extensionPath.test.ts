import { expect, test } from "vitest";
import { extensionPath, findExtension } from "./extensionPath";

const relax = (scope: string) => ({ category: "modifiers", name: "Relax", scope });

test("a path leads to the extension it was made of, among others of the same name", () => {
  const offered = [relax("builtin"), relax("global"), relax("room"), { ...relax("room"), name: "Rotate" }];
  for (const one of offered) expect(findExtension(offered, extensionPath(one))).toBe(one);
  expect(extensionPath(relax("global"))).toBe("modifiers/Relax@global");
});

test("a path without a scope leads to the one of the room, or else to the first", () => {
  expect(findExtension([relax("builtin"), relax("room")], "modifiers/Relax")).toEqual(relax("room"));
  expect(findExtension([relax("global"), relax("builtin")], "modifiers/Relax")).toEqual(relax("global"));
  expect(findExtension([relax("room")], "modifiers/Relax@global")).toBeUndefined();
});
