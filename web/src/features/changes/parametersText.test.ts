import { expect, it } from "vitest";
import { parametersText } from "./parametersText";

it("writes the parameters of a job in one short line", () => {
  expect(parametersText({ factor: 1.1, method: "FIRE", atoms: [0, 1] })).toBe(
    "factor 1.1 · method FIRE · atoms [0,1]",
  );
  expect(parametersText(null)).toBe("");
  const long = parametersText({ atoms: Array.from({ length: 100 }, (_, at) => at) });
  expect(long).toHaveLength(60);
  expect(long.endsWith("…")).toBe(true);
});
