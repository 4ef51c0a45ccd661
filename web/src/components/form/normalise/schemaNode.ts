// What the converters of schemas share: a node of a pydantic schema, its result, and the state of the walk.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";

export type Node = RJSFSchema & {
  unit?: string;
  prefixItems?: Node[];
  discriminator?: { propertyName: string };
  "x-features"?: string[];
  /** The choices of the field are asked of a worker. */
  choices?: { dependsOn?: string[] };
};

export interface NormalisedSchema {
  schema: RJSFSchema;
  uiSchema: UiSchema;
}

export interface WalkContext {
  root: Node;
  /** References that are being resolved, outermost first; a repeated one is recursive. */
  open: string[];
  /** Converts a schema within this one. */
  walk: (given: Node, context: WalkContext) => NormalisedSchema;
}

/** The format of a field that holds the name of a value of frames. */
export const FRAME_KEY = "frame-key";

export const isNull = (node: Node) => node.type === "null" || node.const === null;

export const isNumeric = (node: Node) => node.type === "number" || node.type === "integer";

/** Adds the unit, which every field may have. */
export function withUnit(schema: Node, uiSchema: UiSchema): NormalisedSchema {
  const options = { ...uiSchema["ui:options"], ...(schema.unit ? { unit: schema.unit } : {}) };
  return { schema, uiSchema: { ...uiSchema, "ui:options": options } };
}
