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
  unparsed: UnparsedFields;
}

/** The fields whose text is no value yet, by the id of their element, and why. */
export class UnparsedFields {
  readonly reasons = new Map<string, string>();
  /** Shows a field in a form of several steps. */
  reveal: (field: HTMLElement) => void = () => undefined;

  /** Moves the focus to the first of them; returns what is to be corrected, and null if there is none. */
  focusFirst(): string | null {
    const [first] = this.reasons;
    if (first === undefined) return null;
    const [id, reason] = first;
    const field = document.getElementById(id);
    if (field) {
      this.reveal(field);
      // The form library submits within an update of React: the step of the field is shown after it.
      setTimeout(() => {
        field.focus();
        field.scrollIntoView({ block: "nearest" }); // a disabled field takes no focus
      });
    }
    return `${field ? labelOf(field) : "A field"}: ${reason}`;
  }
}

function labelOf(field: HTMLElement): string {
  const label = document.querySelector(`label[for="${CSS.escape(field.id)}"]`);
  return label?.textContent?.replace(/\s*\*$/, "") || field.getAttribute("aria-label") || "A field";
}

/** Registers a field while its text cannot be parsed. */
export function useUnparsedText(
  { unparsed }: FormContext,
  id: string,
  wrong: boolean,
  reason = "correct what is typed there, or clear it.",
) {
  if (wrong) unparsed.reasons.set(id, reason);
  else unparsed.reasons.delete(id);
  useEffect(() => () => void unparsed.reasons.delete(id), [unparsed, id]);
}
