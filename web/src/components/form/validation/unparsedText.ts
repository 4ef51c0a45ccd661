// Fields whose text is not a value yet, such as "0-3, x" for atom indices. The form cannot be submitted while there is one,
// because it would submit another value than it shows.
import { useEffect } from "react";
import type { Step } from "../steps";

/** What the widgets of a form know about it. */
export interface FormContext {
  room: string;
  /** Null: the form is of no extension, so no worker answers choices of its fields. */
  extension: { category: string; name: string; scope: string; schemaHash: string } | null;
  /** The present values, in a form with choices that a worker answers. */
  data?: unknown;
  /** The steps of a form that has several. */
  stepper?: {
    steps: Step[];
    active: number;
    /** The steps with an error. */
    wrong: ReadonlySet<number>;
    go: (step: number) => void;
  };
  /** The element ids of the fields whose text cannot be parsed. */
  unparsed: Set<string>;
}

/** Registers a field while its text cannot be parsed. */
export function useUnparsedText({ unparsed }: FormContext, id: string, wrong: boolean) {
  if (wrong) unparsed.add(id);
  else unparsed.delete(id);
  useEffect(() => () => void unparsed.delete(id), [unparsed, id]);
}

/** Moves the focus to the first field whose text cannot be parsed; whether there is one. */
export function focusUnparsed(unparsed: ReadonlySet<string>): boolean {
  const [first] = unparsed;
  if (first !== undefined) document.getElementById(first)?.focus();
  return first !== undefined;
}
