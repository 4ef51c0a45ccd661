import { expect, test } from "vitest";
import { axesOf } from "./plotly";

const axis = { d2p: (value: unknown) => 10 * Number(value), _offset: 40, _length: 200 };

test("the axes of a trace are placed within its plot", () => {
  const drawn = { _fullLayout: { xaxis: axis, yaxis2: axis }, _fullData: [{ visible: true, yaxis: "y2" }] };
  const { x, y } = axesOf(drawn, 0)!;
  expect([x.pixels(3), x.offset, x.length, y.offset]).toEqual([30, 40, 200, 40]);
});

test("nothing is placed for a hidden trace, or when Plotly keeps its axes elsewhere", () => {
  expect(
    axesOf({ _fullLayout: { xaxis: axis, yaxis: axis }, _fullData: [{ visible: "legendonly" }] }, 0),
  ).toBeNull();
  expect(axesOf({ _fullLayout: { xaxis: {}, yaxis: {} }, _fullData: [{ visible: true }] }, 0)).toBeNull();
  expect(axesOf({}, 0)).toBeNull();
});
