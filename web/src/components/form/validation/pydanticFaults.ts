// The faults in the message of a pydantic ValidationError, by the path of their value. The message of one is
//
//     2 validation errors for Relax
//     box.length
//       Input should be greater than 0 [type=greater_than, input_value=-1, input_type=int]
//         For further information visit https://errors.pydantic.dev/…
//
// and a fault of the whole class has no line with a path.
import type { Fault } from "./placeFaults";

const HEAD = /^\d+ validation errors? for /;

export function validationFaults(error: { type: string; message: string }): Omit<Fault, "keyword">[] {
  const lines = error.message.split("\n");
  if (error.type.split(".").at(-1) !== "ValidationError" || !HEAD.test(lines[0] ?? "")) return [];
  const faults: Omit<Fault, "keyword">[] = [];
  let path: string[] = [];
  for (const line of lines.slice(1)) {
    if (/^\S/.test(line)) path = line.split(".");
    else if (/^ {2}\S/.test(line)) {
      faults.push({
        path,
        message: line
          .trim()
          .replace(/ \[type=.*\]$/, "")
          .replace(/^(Value|Assertion) error, /, ""),
      });
      path = [];
    }
  }
  return faults;
}
