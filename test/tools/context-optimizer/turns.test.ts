import { expect, it } from "vitest";
import { unitsOf } from "../../../src/tools/context-optimizer/units.ts";

it("a turn is of whoever is named before it, until another is, and says only what follows the name", () => {
  const lines: [line: string, speaker: string | undefined, terms: string[]][] = [
    ["so it begins\n", undefined, ["begin"]],
    ["Ann: zorp\n", "ann", ["zorp"]],
    ["- note: blick\n", "ann", ["note", "blick"]],
    ["7of9: zorp\n", "7of9", ["zorp"]],
    ["[Dr. Who]: blick\n", "dr. who", ["blick"]],
    ["12:30 zorp\n", "dr. who", ["12", "30", "zorp"]],
    [`${"x".repeat(49)}: zorp\n`, "x".repeat(49), ["zorp"]],
    [`${"z".repeat(50)}: zorp\n`, "x".repeat(49), ["z".repeat(50), "zorp"]],
  ];
  const content = lines.map(([line]) => line).join("");
  const units = unitsOf([{ id: "", content, kind: "dialogue", priority: 0, pinned: false }], 1000);
  expect(units.map(({ text, speaker, terms }) => [text, speaker, terms])).toEqual(lines);
});
