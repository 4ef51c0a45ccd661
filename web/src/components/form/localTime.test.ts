import { describe, expect, it } from "vitest";
import { fromInput, toInput } from "./localTime";

describe("times of forms", () => {
  it("come back as the same moment, in any time zone", () => {
    for (const value of ["2026-03-01T12:00:00Z", "2026-07-01T23:30:15+02:00", "2026-12-31T23:59:59-08:00"]) {
      const sent = fromInput("date-time", toInput("date-time", value)!)!;
      expect(new Date(sent).getTime()).toBe(new Date(value).getTime());
      expect(sent).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    }
  });

  it("without an offset are local times", () => {
    expect(toInput("date-time", "2026-03-01T12:00:00")).toBe("2026-03-01T12:00:00");
  });

  it("get the seconds that an input leaves out", () => {
    expect(fromInput("date-time", "2026-03-01T12:00")).toMatch(/^2026-03-01T12:00:00/);
    expect(fromInput("time", "12:30")).toBe("12:30:00");
    expect(fromInput("date", "2026-03-01")).toBe("2026-03-01");
    expect(fromInput("date", "")).toBeUndefined();
  });

  it("that no input can show are recognised", () => {
    expect(toInput("date-time", "tomorrow")).toBeNull();
    expect(toInput("date", "01.03.2026")).toBeNull();
    expect(toInput("time", "noon")).toBeNull();
  });
});
