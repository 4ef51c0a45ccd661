// Where this browser remembers the changed values of a form: for each room, extension and version of its schema. The values of
// another version are taken over where they fit; only those of one version are kept.
export interface RememberedForm {
  room: string;
  scope: string;
  category: string;
  name: string;
}

const prefixOf = ({ room, scope, category, name }: RememberedForm) =>
  `workroom.values.${room}/${scope}/${category}/${name}#`;

const versionsOf = (form: RememberedForm) =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(form)));

export function recallForm(form: RememberedForm, schemaHash: string): unknown {
  try {
    const key = prefixOf(form) + schemaHash;
    return JSON.parse(localStorage.getItem(key) ?? localStorage.getItem(versionsOf(form)[0] ?? "") ?? "null");
  } catch {
    return null;
  }
}

/** Makes the form begin with these values when it is opened next. Without a hash they are for any version of its schema. */
export function rememberForm(form: RememberedForm, values: unknown, schemaHash = "") {
  try {
    for (const key of versionsOf(form)) localStorage.removeItem(key);
    localStorage.setItem(prefixOf(form) + schemaHash, JSON.stringify(values));
  } catch {
    // The storage is full or not available: the values are kept while the page is open.
  }
}
