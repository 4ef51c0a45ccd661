// Where this browser remembers the changed values of a form, so that the page of a job can fill the form with its input.
interface FormOf {
  room: string;
  scope: string;
  category: string;
  name: string;
}

export function formMemoryKey({ room, scope, category, name }: FormOf): string {
  return `workroom.values.${room}/${scope}/${category}/${name}`;
}

/** Makes the form begin with these values when it is opened next. */
export function rememberForm(form: FormOf, values: unknown) {
  try {
    localStorage.setItem(formMemoryKey(form), JSON.stringify(values));
  } catch {
    // The storage is full or not available: the form opens with its defaults.
  }
}
