// The arguments of a job as its page shows them: in the order of the schema, and without secrets.

type Schema = Record<string, unknown>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `hidden` stands for a secret; without it, secrets are left out. */
export function shownInput(data: unknown, schema: Schema | undefined, hidden?: string): unknown {
  return schema ? walk(data, schema, schema, hidden) : data;
}

function walk(data: unknown, given: Schema, root: Schema, hidden: string | undefined): unknown {
  const schema = typeof given.$ref === "string" ? resolve(given.$ref, root) : given;
  if (schema.format === "password" || schema.writeOnly === true) return hidden;
  const properties = schema.properties;
  if (!isRecord(data) || !isRecord(properties)) return data;
  const names = [
    ...Object.keys(properties).filter((name) => Object.hasOwn(data, name)),
    ...Object.keys(data),
  ];
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => {
      const inner = properties[name];
      const value = isRecord(inner) ? walk(data[name], inner, root, hidden) : data[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function resolve(reference: string, root: Schema): Schema {
  let at: unknown = root;
  for (const part of reference.split("/").slice(1)) at = isRecord(at) ? at[part] : undefined;
  return isRecord(at) ? at : {};
}
