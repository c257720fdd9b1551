import { describe, expect, it } from "vitest";
import { categoryByWords } from "../../../src/tools/self-healing/category-by-words.ts";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { comesToAnEnd } from "../../support/pumped.ts";

describe("categoryByWords()", () => {
  it.each([
    ["type mismatch: got a text", "type_error"],
    ["Incompatible types: Text and LongInt", "type_error"],
    ["shop requires Node version 22", "version_mismatch"],
    ["version 3.9 of the language is not supported", "version_mismatch"],
    ["could not resolve the module money", "dependency_resolution"],
    ["no package called 'money'", "dependency_resolution"],
    ["the plugin shop-lint is not installed", "dependency_resolution"],
    ["include file not found: prices.inc", "missing_file"],
    ["cannot open prices.csv", "missing_file"],
    ["syntax error at or near }", "compile_error"],
    ["undefined symbol totl", "compile_error"],
    ["expected ';' but found 'end'", "compile_error"],
    ["unknown option strikt", "configuration"],
    ["name is required", "configuration"],
    ["Expected 1 space before the brace; 0 found", undefined],
    ["the shop is closed", undefined],
    ["shop.CartError: undefined symbol", undefined],
  ])("classifies %s as %s", (message, category) => {
    expect(categoryByWords(message)).toBe(category);
  });

  it("sets the category if no signature does", () => {
    const categoryOf = (log: string) => diagnose({ log: `${log}\n`, exitCode: 1 }).category;
    expect(categoryOf("acme: fatal: undefined symbol totl")).toBe("compile_error");
    expect(categoryOf("src/cart.acme:3:1: error: type mismatch")).toBe("type_error");
    expect(categoryOf("Something is not as it should be")).toBe("unknown");
  });

  it("takes linear time on adversarial lines", () => {
    const hard = ["package ", "requires ", "file ", "expected x ", "cannot find x", "version "];
    const lines = hard.flatMap((word) => Array(5000).fill(word.repeat(2000)));
    expect(comesToAnEnd({ test: categoryByWords }, lines)).toBe(true);
  });
});

describe("a place in an unknown format", () => {
  const placeOf = (...lines: string[]) => {
    const { cause } = diagnose({ log: `${lines.join("\n")}\n`, exitCode: 1 });
    return cause?.file && `${cause.file}:${cause.line}`;
  };

  it("is found in the line itself, indented below it, or above the quoted source", () => {
    expect(placeOf("acme failed in src/cart.acme, line 7")).toBe("src/cart.acme:7");
    expect(placeOf("acme failed:", "  in src/cart.acme(7,3)")).toBe("src/cart.acme:7");
    expect(placeOf("Stopped at src/cart.acme:7,3", "var a = +;", "ERROR: unexpected token ;")).toBe(
      "src/cart.acme:7",
    );
    expect(placeOf("acme failed:", "in src/cart.acme(7,3)")).toBeUndefined();
  });
});
