// Dates and times of forms. A date-time is shown and typed in the browser's time zone, and sent with its offset from UTC.

export type TimeFormat = "date" | "time" | "date-time";

const SECONDS = /T\d\d:\d\d$/;
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/i;

/** The text of a date or time input for a value; null if the value is not of this format. */
export function toInput(format: TimeFormat, value: string): string | null {
  if (format === "date") return /^\d{4}-\d\d-\d\d$/.test(value) ? value : null;
  if (format === "time") return /^\d\d:\d\d(:\d\d)?$/.test(value) ? value : null;
  const time = OFFSET.test(value) ? new Date(value) : new Date(`${value.replace(" ", "T")}`);
  if (!/^\d{4}-/.test(value) || Number.isNaN(time.getTime())) return null;
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The value for the text of an input; undefined for an empty one. */
export function fromInput(format: TimeFormat, text: string): string | undefined {
  if (!text) return undefined;
  if (format === "time") return /^\d\d:\d\d$/.test(text) ? `${text}:00` : text;
  if (format === "date") return text;
  const whole = SECONDS.test(text) ? `${text}:00` : text;
  return `${whole}${offsetAt(new Date(whole))}`;
}

function offsetAt(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const two = (number: number) => String(number).padStart(2, "0");
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}
