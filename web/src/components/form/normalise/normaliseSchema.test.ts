import { describe, expect, it } from "vitest";
import { withDefaults } from "../formValues";
import { toRequestData } from "../requestData";
import { placeFaults, serverFaults } from "../validation/placeFaults";
import { validate } from "../validation/schemaValidator";
import { normaliseSchema } from "./normaliseSchema";

const dynamics = {
  $defs: {
    Langevin: {
      description: "Random kicks and friction.",
      properties: {
        kind: { const: "langevin", default: "langevin", title: "Kind", type: "string" },
        friction: { default: 0.02, maximum: 1, minimum: 0, title: "Friction", type: "number", unit: "1/fs" },
      },
      title: "Langevin",
      type: "object",
    },
    NoseHoover: {
      properties: {
        kind: { const: "nose-hoover", default: "nose-hoover", title: "Kind", type: "string" },
        relaxation: { default: 100, exclusiveMinimum: 0, title: "Relaxation", type: "number" },
      },
      title: "NoseHoover",
      type: "object",
    },
    Node: {
      properties: { children: { items: { $ref: "#/$defs/Node" }, type: "array", title: "Children" } },
      title: "Node",
      type: "object",
    },
  },
  additionalProperties: false,
  description: "Molecular dynamics.",
  properties: {
    seed: { anyOf: [{ type: "integer" }, { type: "null" }], default: null, title: "Seed" },
    limit: {
      anyOf: [{ type: "number", minimum: 0, maximum: 5 }, { type: "null" }],
      default: 2,
      title: "Limit",
    },
    push: {
      default: [0, 0, 0],
      maxItems: 3,
      minItems: 3,
      prefixItems: [{ type: "number" }, { type: "number" }, { type: "number" }],
      title: "Push",
      type: "array",
      unit: "Å/fs",
    },
    thermostat: {
      default: { kind: "langevin", friction: 0.02 },
      discriminator: {
        mapping: { langevin: "#/$defs/Langevin", "nose-hoover": "#/$defs/NoseHoover" },
        propertyName: "kind",
      },
      oneOf: [{ $ref: "#/$defs/Langevin" }, { $ref: "#/$defs/NoseHoover" }],
      title: "Thermostat",
    },
    method: { enum: ["BFGS", "FIRE"], title: "Method", type: "string" },
    element: { enum: ["Hydrogen", "Carbon", "Nitrogen", "Oxygen"], title: "Element", type: "string" },
    colour: { format: "color", title: "Colour", type: "string" },
    atoms: { format: "atom-selection", items: { type: "integer" }, title: "Atoms", type: "array" },
    quantity: { format: "frame-property", title: "Quantity", type: "string" },
    plotted: { examples: ["energy", "volume"], title: "Plotted", type: "string" },
    pair: { prefixItems: [{ type: "string" }, { type: "integer" }], type: "array", title: "Pair" },
    tree: { $ref: "#/$defs/Node" },
    anything: { title: "Anything" },
    barostat: { anyOf: [{ $ref: "#/$defs/NoseHoover" }, { type: "null" }], default: null },
    coupling: {
      anyOf: [{ $ref: "#/$defs/Langevin" }, { $ref: "#/$defs/NoseHoover" }, { type: "null" }],
      default: null,
      title: "Coupling",
    },
    begins: { format: "date-time", title: "Begins", type: "string" },
    day: { anyOf: [{ format: "date", type: "string" }, { type: "null" }], default: null, title: "Day" },
  },
  required: ["method"],
  title: "Dynamics",
  type: "object",
};

describe("a schema from pydantic", () => {
  const { schema, uiSchema } = normaliseSchema(dynamics);
  const property = (name: string) => schema.properties![name] as Record<string, unknown>;

  it("shows X | None as an optional X without the null default", () => {
    expect(property("seed")).toMatchObject({ type: "integer", title: "Seed" });
    expect(property("seed")).not.toHaveProperty("default");
    expect(uiSchema.seed["ui:options"].nullable).toBe(true);
    expect(uiSchema.limit["ui:widget"]).toBe("slider");
    expect(property("limit").default).toBe(2);
  });

  it("shows a tuple of numbers as a row of inputs with its unit", () => {
    expect(uiSchema.push).toMatchObject({ "ui:widget": "vector", "ui:options": { length: 3, unit: "Å/fs" } });
  });

  it("keeps a mixed tuple as a list of fixed length", () => {
    expect(property("pair").items).toHaveLength(2);
    expect(property("pair").additionalItems).toBe(false);
  });

  it("hides the constant that tells the members of a union apart", () => {
    expect(property("thermostat").oneOf).toMatchObject([{ title: "Langevin" }, { title: "NoseHoover" }]);
    expect(uiSchema.thermostat.oneOf[0]).toMatchObject({
      kind: { "ui:widget": "hidden" },
      friction: { "ui:widget": "slider", "ui:options": { unit: "1/fs" } },
    });
    expect(property("thermostat").discriminator).toEqual({ propertyName: "kind" });
  });

  it("shows a model that may be None, alone or in a union, as a choice that begins with none", () => {
    expect(property("barostat")).toMatchObject({
      default: null,
      oneOf: [{ type: "null" }, { type: "object" }],
    });
    expect(property("coupling").oneOf).toMatchObject([
      { type: "null", title: "none" },
      { title: "Langevin" },
      { title: "NoseHoover" },
    ]);
    const values = withDefaults(dynamics, { schema, uiSchema }, { method: "FIRE", pair: ["a", 1] });
    expect(values).toMatchObject({ barostat: null, coupling: null });
    expect(validate(dynamics, toRequestData({ schema, uiSchema }, values))).toEqual([]);
    const chosen = { method: "FIRE", barostat: { kind: "nose-hoover", relaxation: 0 } };
    expect(placeFaults({ schema, uiSchema }, validate(dynamics, chosen))).toEqual({
      barostat: { relaxation: { __errors: ["must be more than 0"] } },
    });
  });

  it("picks the browser's inputs for dates and times", () => {
    expect(uiSchema.begins).toMatchObject({ "ui:widget": "time", "ui:options": { timeFormat: "date-time" } });
    expect(uiSchema.day).toMatchObject({
      "ui:widget": "time",
      "ui:options": { timeFormat: "date", nullable: true },
    });
  });

  it("picks widgets for choices, colours, atoms and properties of frames", () => {
    expect(uiSchema.method["ui:widget"]).toBe("segmented");
    expect(uiSchema.element["ui:widget"]).toBe("choice");
    expect(uiSchema.colour["ui:widget"]).toBe("colour");
    expect(uiSchema.atoms["ui:widget"]).toBe("atoms");
    expect(uiSchema.quantity["ui:widget"]).toBe("frameProperty");
    expect(uiSchema.plotted["ui:widget"]).toBe("suggestions");
  });

  it("does not go round in circles with a recursive model, and shows what has no type as JSON", () => {
    const children = (property("tree").properties as Record<string, Record<string, unknown>>).children;
    expect(children).toMatchObject({ type: "array" });
    expect(uiSchema.anything["ui:field"]).toBe("json");
  });

  it("sends null for a default that was cleared, and nothing for what was never set", () => {
    expect(
      toRequestData({ schema, uiSchema }, { method: "FIRE", limit: undefined, seed: undefined }),
    ).toEqual({
      method: "FIRE",
      limit: null,
    });
  });

  it("finds errors in the data and puts the server's at their fields", () => {
    const faults = validate(dynamics, { limit: 9, push: [1, 2, "x"] });
    expect(faults.map(({ path, message }) => [path.join("."), message])).toEqual([
      ["method", "is required"],
      ["limit", "must be at most 5"],
      ["push.2", "must be of type number, not string"],
    ]);
    expect(validate(dynamics, { method: "FIRE", seed: null })).toEqual([]);
    expect(
      placeFaults(
        { schema, uiSchema },
        serverFaults([
          { path: "data.thermostat.friction", message: "too large" },
          { path: "data.push[2]", message: "no number" },
          { path: "data", message: "odd" },
        ]),
      ),
    ).toEqual({
      __errors: ["odd"],
      thermostat: { friction: { __errors: ["too large"] } },
      push: { __errors: ["2: no number"] },
    });
  });

  it("tells faults that no field shows above the button", () => {
    const faults = validate(dynamics, {
      method: "FIRE",
      gone: 1,
      thermostat: { kind: "langevin", friction: 2 },
    });
    expect(placeFaults({ schema, uiSchema }, faults)).toEqual({
      __errors: ["gone: is not a field of this form"],
      thermostat: { friction: { __errors: ["must be at most 1"] } },
    });
  });

  it("names the pattern that a text does not match, also behind a reference", () => {
    const named = {
      $defs: { Name: { type: "string", pattern: "^[a-z]+$" } },
      properties: { name: { $ref: "#/$defs/Name" }, code: { type: "string", pattern: "^\\d+$" } },
    };
    expect(validate(named, { name: "A", code: "x" }).map((fault) => fault.message)).toEqual([
      "must match the pattern ^[a-z]+$",
      "must match the pattern ^\\d+$",
    ]);
  });
});
