import { describe, expect, it } from "vitest";
import { knownTokens } from "../../../src/text/secrets/known-tokens.ts";
import { tokens } from "./token-formats.ts";

describe("knownTokens() with every listed token format", () => {
  it("finds the whole token anywhere in a line and names its issuer", () => {
    for (const { whole, shortest, what } of tokens) {
      for (const text of [whole, shortest]) {
        for (const before of ["", "key = '", "https://"]) {
          expect(knownTokens(`${before}${text}' and more`)).toEqual([{ column: before.length, text, what }]);
        }
      }
    }
  });

  it("finds no token if a character is missing", () => {
    // Without a character, these are still tokens of a shorter form.
    const long = tokens.filter(({ prefix }) => !/^EAACE|^xoxe/.test(prefix));
    const known = long.filter(({ shortest, what }) =>
      knownTokens(shortest.slice(0, -1)).some((token) => token.what === what),
    );
    expect(known).toEqual([]);
  });

  it("finds no token within a word", () => {
    // These begin with names of settings and hosts, which other letters may precede.
    const words = tokens.filter(({ prefix }) => !/^outlook|Key=$/.test(prefix));
    const known = words.filter(({ whole }) => knownTokens(`x${whole}`).some(({ column }) => column === 1));
    expect(known).toEqual([]);
  });
});
