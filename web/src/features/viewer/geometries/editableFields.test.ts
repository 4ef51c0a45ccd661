import { expect, test } from "vitest";
import { editableSchema, editableValues, edited } from "./editableFields";

const SCHEMA = {
  title: "Cell",
  properties: {
    visible: { type: "boolean" },
    color: { type: "string", format: "color" },
    thickness: { type: "number" },
  },
  required: ["color", "thickness"],
};
const cell = { type: "cell", data: { visible: false, color: "#808080", thickness: 1.5 } };

test("the form has the fields that are drawn, and the others keep their values", () => {
  const schema = editableSchema("cell", SCHEMA);
  expect(Object.keys(schema.properties as object)).toEqual(["color"]);
  expect(schema.required).toEqual(["color"]);
  expect(editableValues(schema, cell)).toEqual({ color: "#808080" });
  expect(edited(schema, cell, { color: "#ff0000" })).toEqual({
    type: "cell",
    data: { visible: false, color: "#ff0000", thickness: 1.5 },
  });
  expect(edited(schema, cell, {}).data).toEqual({ visible: false, thickness: 1.5 });
});

test("a type without such fields shows all", () => {
  expect(Object.keys(editableSchema("box", SCHEMA).properties as object)).toEqual(["color", "thickness"]);
});
