import { expect, it } from "vitest";
import { wordsOf } from "../../../src/tools/knowledge-graph/graph/words.ts";

it.each([
  ["plain", ["plain"]],
  ["getUserById", ["getuserbyid", "get", "user", "by", "id"]],
  ["a_b 2x", ["a", "b", "2x"]],
  ["Café Ünder", ["cafe", "under"]],
  ["東京都", ["東京", "京都", "都"]],
  ["", []],
])("the words of %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
