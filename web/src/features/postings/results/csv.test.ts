import { expect, it, vi } from "vitest";
import { type CsvRow, writeCsv } from "./csv";

/** The text of the file for these pages, and how many files were begun. */
async function written(...pages: CsvRow[][]) {
  const files: string[][] = [];
  const discard = vi.fn(async () => undefined);
  const open = async () => {
    const parts: string[] = [];
    files.push(parts);
    return { write: async (part: unknown) => void parts.push(String(part)), save: discard, discard };
  };
  await writeCsv(async function* () {
    yield* pages;
  }, open);
  expect(discard).toHaveBeenCalledTimes(files.length - 1);
  return { text: files.at(-1)!.join(""), begun: files.length };
}

it("has a column for each parameter and each value of the results", async () => {
  const { text } = await written([
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

it("names a result that is one value", async () => {
  const { text } = await written([
    { position: 0, status: "completed", data: { n: 1 }, result: 4, error: null },
  ]);
  expect(text).toBe("position,state,n,result,error\r\n0,completed,1,4,\r\n");
});

it("is written again where a later page has further columns", async () => {
  const row = (position: number, data: object) => ({
    position,
    status: "pending",
    data,
    result: null,
    error: null,
  });
  const same = await written([row(0, { n: 1 })], [row(1, { n: 2 })]);
  expect(same).toEqual({ text: "position,state,n,error\r\n0,pending,1,\r\n1,pending,2,\r\n", begun: 1 });
  const wider = await written([row(0, { n: 1 })], [row(1, { n: 2, m: 3 })]);
  expect(wider).toEqual({
    text: "position,state,n,m,error\r\n0,pending,1,,\r\n1,pending,2,3,\r\n",
    begun: 2,
  });
});
