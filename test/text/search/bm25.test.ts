import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simpleBm25 } from "../../../bench/tools/code-search/simple-bm25.ts";
import { bm25 } from "../../../src/text/search/bm25.ts";
import { codeTerms } from "../../../src/text/search/code-terms.ts";

describe("bm25()", () => {
  it("returns the scores of a simple implementation of the formula", () => {
    const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "epsilon");
    const document = fc.array(word, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 12 }),
        fc.uniqueArray(word, { minLength: 1 }),
        (documents, query) => {
          const often = (term: string) =>
            documents.flatMap((words, index) => {
              const count = words.filter((word) => word === term).length;
              return count > 0 ? [index, count] : [];
            });
          const counted = { lengths: documents.map(({ length }) => length), postings: query.map(often) };
          const found = bm25(
            counted,
            query.map(() => 1),
            { k1: 1.2, b: 0.75 },
          );
          const expected = simpleBm25(
            documents.map((words) => words.join(" ")),
            query.join(" "),
          );
          for (const [index, score] of expected.entries()) expect(found[index]).toBeCloseTo(score, 9);
        },
      ),
    );
  });
});

describe("codeTerms()", () => {
  it.each([
    ["parse_header", ["parse_header", "pars", "header"]],
    ["parseHeaders", ["parseheaders", "pars", "header"]],
    ["HTTPServer2", ["httpserver2", "http", "server"]],
    ["the parsing of it", ["pars"]],
    ["x = 42", ["42"]],
    ["Größe", ["größe"]],
  ])("finds the terms of %s", (text, terms) => {
    expect(codeTerms(text)).toEqual(terms);
  });
});
