import { expect, it } from "vitest";
import { csvLine } from "../../src/contract/csv.ts";

it.each(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])(
  "a cell that begins with %j is text for a spreadsheet",
  (mark) => {
    const line = csvLine([`${mark}SUM(A1)`, `a${mark}1`, -1]);
    expect(line.replaceAll('"', "")).toBe(`'${mark}SUM(A1),a${mark}1,-1\r\n`);
  },
);
