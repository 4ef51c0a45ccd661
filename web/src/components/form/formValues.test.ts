import { describe, expect, it } from "vitest";
import { changedValues, fittingValues, withDefaults, withoutSecrets } from "./formValues";
import { normaliseSchema } from "./normalise/normaliseSchema";
import { logShare, logValue, numberRange } from "./numberRange";
import { toRequestData } from "./requestData";

const stretch = {
  type: "object",
  additionalProperties: false,
  properties: {
    factor: { type: "number", default: 1.1, maximum: 2 },
    steps: { anyOf: [{ type: "integer" }, { type: "null" }], default: 5 },
    label: { type: "string", default: "a" },
  },
};
const shape = normaliseSchema(stretch);

describe("the values of a form", () => {
  it("are the defaults and what was changed", () => {
    const data = withDefaults(stretch, shape, { factor: 1.5 });
    expect(data).toEqual({ factor: 1.5, steps: 5, label: "a" });
    expect(changedValues(stretch, shape, data)).toEqual({ factor: 1.5 });
    expect(changedValues(stretch, shape, { ...data, steps: undefined })).toEqual({
      factor: 1.5,
      steps: null,
    });
  });

  it("lose unknown fields and other types when the schema has changed, but no value that is only too large", () => {
    const old = { gone: 1, factor: 3, label: 7, steps: null };
    expect(fittingValues(stretch, shape, old)).toEqual({ factor: 3, steps: null });
    expect(fittingValues(stretch, shape, "nonsense")).toEqual({});
  });

  const secret = { type: "string", format: "password", writeOnly: true };
  const login = normaliseSchema({
    properties: {
      user: { type: "string" },
      key: { ...secret, default: "**********" },
      keys: { type: "array", items: secret },
      more: { type: "object", additionalProperties: secret },
      server: {
        oneOf: [
          { type: "object", title: "A", properties: { token: secret, host: { type: "string" } } },
          { type: "object", title: "B", properties: { port: { type: "integer" } } },
        ],
      },
    },
  });

  it("have no asterisks in the place of a secret default", () => {
    expect(login.schema.properties?.key).not.toHaveProperty("default");
    expect(
      toRequestData(login, withDefaults({}, login, { user: "astrid", key: undefined })),
    ).not.toHaveProperty("key");
  });

  it("are stored without secrets", () => {
    const data = {
      user: "astrid",
      key: "s3cret",
      keys: ["s3cret"],
      more: { a: "s3cret" },
      server: { token: "s3cret", host: "h" },
    };
    const kept = withoutSecrets(login, data);
    expect(JSON.stringify(kept)).not.toContain("s3cret");
    expect(kept).toMatchObject({ user: "astrid", server: { host: "h" } });
  });
});

describe("a mapping", () => {
  it("has a first value for a new key, and is JSON where its values have no type", () => {
    const { schema, uiSchema } = normaliseSchema({
      properties: {
        weights: { type: "object", additionalProperties: { type: "integer" } },
        anything: { type: "object", additionalProperties: true },
        models: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: { a: { anyOf: [{ type: "integer" }, { type: "null" }], default: 3 } },
          },
        },
      },
    });
    expect(schema.properties?.weights).toMatchObject({ additionalProperties: { default: 0 } });
    expect(schema.properties?.models).toMatchObject({ additionalProperties: { default: { a: 3 } } });
    const cleared = { models: { first: { a: undefined } } };
    expect(toRequestData({ schema, uiSchema }, cleared)).toEqual({ models: { first: { a: null } } });
    expect(uiSchema.anything["ui:field"]).toBe("json");
  });
});

describe("a slider", () => {
  it("is logarithmic over decades and linear from zero", () => {
    const range = numberRange({ type: "number", minimum: 1e-6, maximum: 1e-3 });
    expect(range.logarithmic).toBe(true);
    expect([0, 1 / 3, 1].map((share) => logValue(range, share))).toEqual([1e-6, 1e-5, 1e-3]);
    expect(logShare(range, 1e-4)).toBeCloseTo(2 / 3);
    expect(numberRange({ type: "number", exclusiveMinimum: 0, maximum: 1 }).logarithmic).toBe(false);
    expect(logValue(numberRange({ type: "integer", minimum: 1, maximum: 1e9 }), 0.5)).toBe(31623);
  });
});
