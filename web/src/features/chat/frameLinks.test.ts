import { expect, test } from "vitest";
import { frameOfLink, remarkMentions, splitMentions } from "./frameLinks";

const links = (text: string) => splitMentions(text).filter((part) => part.type === "link");

test("frames are mentioned by number, with or without the word", () => {
  expect(links("see @12 and (@frame 7), @FRAME3")).toEqual([
    { type: "link", url: "#frame-12", children: [{ type: "text", value: "@12" }] },
    { type: "link", url: "#frame-7", children: [{ type: "text", value: "@frame 7" }] },
    { type: "link", url: "#frame-3", children: [{ type: "text", value: "@FRAME3" }] },
  ]);
});

test("the text around mentions is kept", () => {
  const text = "a @1, b @frame 22!";
  const whole = splitMentions(text)
    .map((part) => part.value ?? part.children?.[0]?.value)
    .join("");
  expect(whole).toBe(text);
});

test("addresses, names and numbers that are too long are no mentions", () => {
  expect(links("me@12.example @anna @12x @1234567890")).toEqual([]);
});

test("code and links stay as they are", () => {
  const tree = {
    type: "root",
    children: [
      { type: "inlineCode", value: "@1" },
      { type: "link", url: "/x", children: [{ type: "text", value: "@2" }] },
      { type: "paragraph", children: [{ type: "text", value: "@3" }] },
    ],
  };
  remarkMentions()(tree);
  expect(JSON.stringify(tree).match(/#frame-\d/g)).toEqual(["#frame-3"]);
});

test("only our own links point at frames", () => {
  expect(frameOfLink("#frame-12")).toBe(12);
  expect(frameOfLink("https://example.org/#frame-x")).toBeNull();
  expect(frameOfLink(undefined)).toBeNull();
});
