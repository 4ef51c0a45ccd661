import { describe, expect, it } from "vitest";
import { changedValues, chosenValues, fittingValues, withDefaults, withoutSecrets } from "./formValues";
import { normaliseSchema } from "./normalise/normaliseSchema";
import { logNext, logShare, logValue, numberRange } from "./numberRange";
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

describe("a field that was cleared inside of a model", () => {
  const limit = { anyOf: [{ type: "integer" }, { type: "null" }], default: 5 };
  const model = (title: string, more: object = {}) => ({
    type: "object",
    title,
    properties: { limit, ...more },
  });
  const kind = (name: string) => ({ const: name, default: name, type: "string" });
  const nested = normaliseSchema({
    properties: {
      top: limit,
      box: { anyOf: [model("Box"), { type: "null" }], default: null },
      filled: { anyOf: [model("Box"), { type: "null" }], default: { limit: 5 } },
      boxes: { type: "array", items: model("Box") },
      pair: { type: "array", prefixItems: [{ type: "string" }, model("Box")] },
      tagged: {
        oneOf: [
          model("A", { kind: kind("a") }),
          { type: "object", title: "B", properties: { kind: kind("b"), limit: { type: "integer" } } },
        ],
        discriminator: { propertyName: "kind" },
      },
      untagged: {
        anyOf: [
          {
            type: "object",
            title: "Sphere",
            properties: { radius: { type: "number" } },
            required: ["radius"],
          },
          model("Cube", { side: { type: "number", maximum: 2 } }),
          { type: "null" },
        ],
        default: null,
      },
      lists: { anyOf: [{ type: "array", items: model("Box") }, model("Box")] },
    },
  });
  const cleared = { limit: undefined };
  it.each([
    [{ top: undefined }, { top: null }],
    [{ box: cleared }, { box: { limit: null } }],
    [{ box: null }, { box: null }],
    [{ filled: undefined }, { filled: null }],
    [{ boxes: [cleared, { limit: 2 }] }, { boxes: [{ limit: null }, { limit: 2 }] }],
    [{ pair: ["a", cleared] }, { pair: ["a", { limit: null }] }],
    [{ tagged: { kind: "a", ...cleared } }, { tagged: { kind: "a", limit: null } }],
    [{ tagged: { kind: "b", ...cleared } }, { tagged: { kind: "b" } }],
    [{ untagged: { side: 1, ...cleared } }, { untagged: { side: 1, limit: null } }],
    [{ untagged: { side: 9, ...cleared } }, { untagged: { side: 9, limit: null } }],
    [{ untagged: { radius: 1 } }, { untagged: { radius: 1 } }],
    [{ lists: [cleared] }, { lists: [{ limit: null }] }],
    [{ lists: cleared }, { lists: { limit: null } }],
  ])("is sent as null: %j", (data, sent) => {
    expect(toRequestData(nested, data)).toMatchObject(sent);
    const [[name, value]] = Object.entries(sent) as [[string, unknown]];
    expect((toRequestData(nested, data) as Record<string, unknown>)[name]).toEqual(value);
  });

  it("is left out of items of a list while its condition does not hold", () => {
    const steps = normaliseSchema({
      properties: {
        steps: {
          type: "array",
          items: {
            type: "object",
            properties: { method: { type: "string" }, dt: { type: "number", default: 1 } },
            if: { properties: { method: { const: "FIRE" } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
            then: { properties: { dt: {} } },
          },
        },
      },
    });
    const data = {
      steps: [
        { method: "BFGS", dt: 2 },
        { method: "FIRE", dt: 2 },
      ],
    };
    expect(toRequestData(steps, data)).toEqual({ steps: [{ method: "BFGS" }, { method: "FIRE", dt: 2 }] });
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

describe("a field of choices", () => {
  it("that was cleared has none, also when that is remembered as null", () => {
    expect(chosenValues(null, false)).toEqual([]);
    expect(chosenValues(undefined, true)).toEqual([]);
    expect(chosenValues(0, false)).toEqual([0]);
    expect(chosenValues(["a"], true)).toEqual(["a"]);
  });
});

describe("a switch", () => {
  const flags = {
    properties: {
      needed: { type: "boolean" },
      on: { type: "boolean", default: true },
      unset: { anyOf: [{ type: "boolean" }, { type: "null" }], default: null },
      off: { anyOf: [{ type: "boolean" }, { type: "null" }], default: false },
    },
    required: ["needed"],
  };

  it("without a default sends what it shows", () => {
    const shape = normaliseSchema(flags);
    const sent = toRequestData(shape, withDefaults(flags, shape, {}));
    expect(sent).toEqual({ needed: false, on: true, off: false });
  });
});

describe("a slider", () => {
  it("moves by at least one step for each arrow key", () => {
    for (const schema of [
      { type: "integer", minimum: 1, maximum: 500 },
      { type: "integer", minimum: 5, maximum: 5_000, multipleOf: 5 },
      { type: "number", minimum: 0.01, maximum: 1 },
    ] as const) {
      const range = numberRange(schema);
      let value: number = schema.minimum;
      for (let presses = 0; value < schema.maximum; presses += 1) {
        const next = logNext(range, value, 1);
        expect(next).toBeGreaterThan(value);
        expect(logNext(range, next, -1)).toBeLessThan(next);
        value = next;
        expect(presses).toBeLessThan(150);
      }
      expect(logNext(range, value, 1)).toBe(schema.maximum);
    }
  });

  it("is logarithmic over decades and linear from zero", () => {
    const range = numberRange({ type: "number", minimum: 1e-6, maximum: 1e-3 });
    expect(range.logarithmic).toBe(true);
    expect([0, 1 / 3, 1].map((share) => logValue(range, share))).toEqual([1e-6, 1e-5, 1e-3]);
    expect(logShare(range, 1e-4)).toBeCloseTo(2 / 3);
    expect(numberRange({ type: "number", exclusiveMinimum: 0, maximum: 1 }).logarithmic).toBe(false);
    expect(logValue(numberRange({ type: "integer", minimum: 1, maximum: 1e9 }), 0.5)).toBe(31623);
  });
});
