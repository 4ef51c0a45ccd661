import { expect, test } from "vitest";
import { countUnread, useReadMessages } from "./unread";

const messages = [
  { id: "01", userId: "anna" },
  { id: "02", userId: "me" },
  { id: "03", userId: "bob" },
];

test("messages of others that are newer than the last one shown are unread", () => {
  expect(countUnread(messages, "me")).toBe(2);
  expect(countUnread(messages, "me", "01")).toBe(1);
  expect(countUnread(messages, "me", "03")).toBe(0);
});

test("an older message does not make newer ones unread again", () => {
  const { markRead } = useReadMessages.getState();
  markRead("lab", "05");
  markRead("lab", "04");
  expect(useReadMessages.getState().newest).toEqual({ lab: "05" });
});
