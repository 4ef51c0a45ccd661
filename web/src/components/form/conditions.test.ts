import { describe, expect, it } from "vitest";
import { allProperties } from "./conditions";
import { fittingValues, withDefaults } from "./formValues";
import { normaliseSchema } from "./normalise/normaliseSchema";
import { toRequestData } from "./requestData";
import { createValidator } from "./validation/schemaValidator";

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    method: { enum: ["BFGS", "FIRE"], default: "BFGS" },
    dt: { type: "number", default: 0.1, maximum: 1 },
    label: { type: "string", default: "" },
    cutoff: { anyOf: [{ type: "number" }, { type: "null" }], default: null },
    smear: { type: "number", default: 2 },
  },
  if: { properties: { method: { const: "FIRE" } }, required: ["method"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
  then: { properties: { dt: {} } },
  dependentSchemas: { cutoff: { properties: { smear: { type: "number" } } } },
};

describe("fields with a condition", () => {
  const shape = normaliseSchema(SCHEMA);

  it("are part of the form, in the order of the class", () => {
    expect(Object.keys(shape.schema.properties!)).toEqual(["method", "label", "cutoff"]);
    expect(Object.keys(allProperties(shape.schema)).sort()).toEqual(Object.keys(SCHEMA.properties).sort());
    expect(shape.uiSchema["ui:order"]).toEqual(["method", "dt", "label", "cutoff", "smear", "*"]);
    expect(shape.uiSchema.dt!["ui:widget"]).toBe("number");
  });

  it("are submitted only while their condition holds", () => {
    const data = { method: "BFGS", dt: 0.5, label: "x", smear: 3 };
    expect(toRequestData(shape, data)).toEqual({ method: "BFGS", label: "x" });
    expect(toRequestData(shape, { ...data, method: "FIRE" })).toEqual({
      method: "FIRE",
      dt: 0.5,
      label: "x",
    });
    expect(toRequestData(shape, { ...data, cutoff: 4 })).toMatchObject({ cutoff: 4, smear: 3 });
    expect(toRequestData(shape, { ...data, cutoff: undefined })).not.toHaveProperty("smear");
  });

  it("have their defaults, remembered values and errors", () => {
    expect(withDefaults(SCHEMA, shape, { method: "FIRE" })).toMatchObject({ dt: 0.1 });
    expect(fittingValues(SCHEMA, shape, { method: "FIRE", dt: 0.3, gone: 1 })).toEqual({
      method: "FIRE",
      dt: 0.3,
    });
    const validator = createValidator(SCHEMA, shape);
    const { errorSchema } = validator.validateFormData({ method: "FIRE", dt: 7 }, shape.schema);
    expect(errorSchema).toEqual({ dt: { __errors: ["must be at most 1"] } });
  });
});
