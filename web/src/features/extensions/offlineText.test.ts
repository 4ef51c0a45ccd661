import { expect, test } from "vitest";
import { offlineText } from "./offlineText";

const at = "2026-03-01T12:00:00Z";
const later = Date.parse(at) + 5 * 60_000;

test("it says who offered it last, and when", () => {
  expect(offlineText({ lastOfferedAt: at, lastOfferedBy: "ada" }, later)).toBe(
    "Offline: last offered by ada, 5 min ago.",
  );
});

test("the account may be gone, and a worker may reconnect in a moment", () => {
  expect(offlineText({ lastOfferedAt: at, lastOfferedBy: null }, later)).toBe(
    "Offline: last offered, 5 min ago.",
  );
  expect(offlineText({ lastOfferedAt: null, lastOfferedBy: null }, later)).toBe(
    "Offline: no worker is online.",
  );
});
