import { expect, test } from "vitest";
import { shownInput } from "./jobInput";

test("the arguments of a job have the order of the schema and no secrets", () => {
  const schema = {
    $defs: { Server: { properties: { host: {}, token: { type: "string", writeOnly: true } } } },
    properties: {
      temperature: {},
      fmax: {},
      server: { $ref: "#/$defs/Server" },
      key: { format: "password" },
    },
  };
  const data = { key: "s", fmax: 1, other: 2, server: { token: "s", host: "h" }, temperature: 300 };
  expect(Object.entries(shownInput(data, schema, "(hidden)") as object)).toEqual([
    ["temperature", 300],
    ["fmax", 1],
    ["server", { host: "h", token: "(hidden)" }],
    ["key", "(hidden)"],
    ["other", 2],
  ]);
  expect(shownInput(data, schema)).toEqual({ temperature: 300, fmax: 1, server: { host: "h" }, other: 2 });
  expect(shownInput(data, undefined)).toBe(data);
});
