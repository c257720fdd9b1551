import { expect, it } from "vitest";
import { wordsOf } from "../../../../src/tools/knowledge-graph/graph/words.ts";

it.each([
  ["plain", ["plain"]],
  ["getUserById", ["getuserbyid", "get", "user", "by", "id"]],
  ["HTTPServer2go", ["httpserver2go", "http", "server2go"]],
  ["parseURL", ["parseurl", "parse", "url"]],
  ["XMLHttpRequest of ACME", ["xmlhttprequest", "xml", "http", "request", "of", "acme"]],
  ["ÜberÄnderung", ["uberanderung", "uber", "anderung"]],
  ["URL Name", ["url", "name"]],
  ["x".repeat(64), ["x".repeat(64)]],
  ["x".repeat(65), ["x".repeat(64)]],
  ["a_b 2x", ["a", "b", "2x"]],
  ["Café Ünder", ["cafe", "under"]],
  ["東京都", ["東京", "京都", "都"]],
  ["", []],
])("wordsOf() splits %j into search words", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
