import { expect, test } from "vitest";
import { applyTheme } from "./applyTheme";

const OWN = { layout: { plot_bgcolor: "#000000" } };

test("the tool bar has the colours of the page, also with a template of the figure", () => {
  for (const template of [undefined, OWN]) {
    const light = applyTheme({ template }, false).modebar!;
    const dark = applyTheme({ template }, true).modebar!;
    expect(light.bgcolor).toBe("rgba(255,255,255,0.9)");
    expect(light.color).not.toBe(dark.color);
  }
  expect(applyTheme({ template: OWN }, false).template).toBe(OWN);
});

test("a tool bar that the figure colours itself stays so", () => {
  expect(applyTheme({ modebar: { color: "#123456" } }, false).modebar).toMatchObject({
    color: "#123456",
    bgcolor: "rgba(255,255,255,0.9)",
  });
});
