import { expect, test } from "vitest";
import { mentionOf, mentions, splitPeople, typedMention } from "./peopleMentions";

test("people are mentioned by name, and the text around is kept", () => {
  const text = 'hello @ada, (@"Ada L.") and mail@example.org, thanks @bob.';
  expect(splitPeople(text).flatMap(({ person }) => person ?? [])).toEqual(["ada", "Ada L.", "bob"]);
  expect(
    splitPeople(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
  expect(mentions(text, "ADA")).toBe(true);
  expect(mentions(text, "mail")).toBe(false);
  expect(mentions("frame @12", "12")).toBe(false);
  for (const name of ["ada", "Ada L.", "ada-2", "Ünal"])
    expect(mentions(`x ${mentionOf(name)} y`, name)).toBe(true);
});

test("what is typed in front of the caret is completed", () => {
  expect(typedMention("hi @ad", 6)).toEqual({ start: 3, typed: "ad" });
  expect(typedMention("@", 1)).toEqual({ start: 0, typed: "" });
  expect(typedMention("a@ad", 4)).toBeNull();
  expect(typedMention("@ada hi", 7)).toBeNull();
});
