import { expect, it } from "vitest";
import { copyOf } from "../../src/text/copy.ts";

it.each([
  "",
  "short",
  "long enough to be a slice of another text",
  "größer als ein Byte 😀",
  "half a pair, \ud83d",
])("copies %j as it is", (text) => {
  expect(copyOf(`${text} and more`.slice(0, text.length))).toBe(text);
});
