import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stemOf } from "../../src/text/stems.ts";
import { termsOf } from "../../src/text/terms.ts";
import { wordsOf } from "../../src/text/words.ts";
import { codePoint } from "../support/code-point.ts";

describe("words of a text", () => {
  it.each([
    ["The API's keys, rotated!", ["the", "api", "keys", "rotated"]],
    ["didn't can't won't", ["did", "not", "can", "not", "will", "not"]],
    ["Zoë naïve ﬁle", ["zoe", "naive", "file"]],
    ["getUserById", ["getuserbyid", "get", "user", "by", "id"]],
    ["東京タワー", ["東京", "京タ", "タワ", "ワー"]],
    ["パス バスで", ["パス", "バス", "スで"]],
    ["दिल्ली में", ["दिल्ली", "में"]],
    ["서울 Москва Ёлка", ["서울", "москва", "елка"]],
    ["มีนา", ["มี", "ีน", "นา"]],
    ["👍 …", []],
  ])("in %j are %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("are never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        for (const word of wordsOf(text)) expect(word).not.toBe("");
      }),
    );
  });

  it("have one stem for all their forms", () => {
    expect(new Set(["go", "goes", "going", "went", "gone"].map(stemOf)).size).toBe(1);
    expect(new Set(["child", "children"].map(stemOf)).size).toBe(1);
    expect(stemOf("größe")).toBe("größe");
  });

  it("leave out stop words, but keep negations", () => {
    expect(termsOf("The deploys are not allowed on Fridays")).toEqual(["deploi", "not", "allow", "fridai"]);
  });
});
