import { expect, it } from "vitest";
import { quotedForCmd } from "../../../../src/cli/tools/diagnose/quoted-for-cmd.ts";

// Rules: "Parsing C command-line arguments" in Microsoft's documentation.
it.each([
  ["npm", "npm"],
  ["C:\\tools\\run.exe", "C:\\tools\\run.exe"],
  ["", '""'],
  ["two words", '"two words"'],
  ["a&b", '"a&b"'],
  ['say "so"', '"say \\"so\\""'],
  ["ends in \\", '"ends in \\\\"'],
  ['a b\\"c', '"a b\\\\\\"c"'],
])("quotedForCmd() quotes %j as %j", (word, quoted) => {
  expect(quotedForCmd(word)).toBe(quoted);
});
