import { expect, test } from "vitest";
import { editableSchema, editableValues, edited } from "./editableFields";

const SCHEMA = {
  title: "Cell",
  properties: { visible: { type: "boolean" }, color: { type: "string", format: "color" } },
  required: ["visible", "color"],
};
const cell = { type: "cell", data: { visible: false, color: "#808080" } };

test("the form has all fields but `visible`, which keeps its value", () => {
  const schema = editableSchema(SCHEMA);
  expect(Object.keys(schema.properties as object)).toEqual(["color"]);
  expect(schema.required).toEqual(["color"]);
  expect(editableValues(schema, cell)).toEqual({ color: "#808080" });
  expect(edited(schema, cell, { color: "#ff0000" })).toEqual({
    type: "cell",
    data: { visible: false, color: "#ff0000" },
  });
  expect(edited(schema, cell, {}).data).toEqual({ visible: false });
});
