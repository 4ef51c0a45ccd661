import { expect, it } from "vitest";
import { toCsv } from "./csv";

it("has a column for each parameter and each value of the results", () => {
  const text = toCsv([
    {
      position: 0,
      status: "completed",
      data: { bins: 2, of: "a,b" },
      result: { peak: 2.87, bins: 2 },
      error: null,
    },
    {
      position: 1,
      status: "failed",
      data: { bins: 3 },
      result: null,
      error: { type: "E", message: 'no "x"' },
    },
    { position: 2, status: "pending", data: { bins: 4, of: [1, 2] }, result: null, error: null },
  ]);
  expect(text.split("\r\n")).toEqual([
    "position,state,bins,of,peak,result.bins,error",
    '0,completed,2,"a,b",2.87,2,',
    '1,failed,3,,,,"E: no ""x"""',
    '2,pending,4,"[1,2]",,,',
    "",
  ]);
});

it("names a result that is one value", () => {
  expect(toCsv([{ position: 0, status: "completed", data: { n: 1 }, result: 4, error: null }])).toBe(
    "position,state,n,result,error\r\n0,completed,1,4,\r\n",
  );
});
