import { expect, it } from "vitest";
import { validationFaults } from "./pydanticFaults";

const MESSAGE = `3 validation errors for Relax
box.length
  Input should be greater than 0 [type=greater_than, input_value=-1, input_type=int]
    For further information visit https://errors.pydantic.dev/2.12/v/greater_than
push.0
  Value error, too far [type=value_error, input_value=9.0, input_type=float]
    For further information visit https://errors.pydantic.dev/2.12/v/value_error
  Value error, start must be before end [type=value_error, input_value={'start': 2}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.12/v/value_error`;

it("finds the faults of a pydantic validation error with their paths", () => {
  expect(validationFaults({ type: "ValidationError", message: MESSAGE })).toEqual([
    { path: ["box", "length"], message: "Input should be greater than 0" },
    { path: ["push", "0"], message: "too far" },
    { path: [], message: "start must be before end" },
  ]);
  expect(validationFaults({ type: "ValueError", message: MESSAGE })).toEqual([]);
  expect(validationFaults({ type: "ValidationError", message: "no such file" })).toEqual([]);
});
