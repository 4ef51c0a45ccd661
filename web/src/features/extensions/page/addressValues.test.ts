import { expect, test } from "vitest";
import { normaliseSchema } from "@/components/form/normalise/normaliseSchema";
import { readAddress, writeAddress } from "./addressValues";

const schema = {
  type: "object",
  properties: {
    fmax: { type: "number", default: 0.05 },
    method: { enum: ["BFGS", "FIRE"], type: "string", default: "FIRE" },
    label: { type: "string", default: "" },
    key: { type: "string", format: "password" },
    push: { type: "array", items: { type: "number" }, default: [] },
  },
  additionalProperties: false,
};
const shape = normaliseSchema(schema);

test("parameters become values of their fields, and others are named", () => {
  expect(readAddress(schema, shape, { fmax: 0.01, method: "BFGS", label: 12, push: [1, 2] })).toEqual({
    values: { fmax: 0.01, method: "BFGS", label: "12", push: [1, 2] },
    refused: [],
  });
  expect(readAddress(schema, shape, { fmax: "much", nothing: 1 })).toEqual({
    values: {},
    refused: ["fmax", "nothing"],
  });
});

test("an address has what differs from the defaults, without secrets", () => {
  const data = { fmax: 0.01, method: "FIRE", label: "12", key: "secret", push: [1, 2] };
  const written = writeAddress(schema, shape, data);
  expect(Object.fromEntries(written)).toEqual({ fmax: "0.01", label: '"12"', push: "[1,2]" });
});
