import { describe, expect, it } from "vitest";
import { snippetOf } from "../../../../src/tools/code-review/snippet.ts";

describe("snippetOf()", () => {
  it("keeps the first characters of a long secret, but none of a short one", () => {
    expect(snippetOf('  key = "abcdefghijkl";', 3, ["abcdefghijkl"])).toBe('key = "abcd****";');
    expect(snippetOf('key = "abcdefghijk" + "abcdefghijk";', 1, ["abcdefghijk"])).toBe(
      'key = "****" + "****";',
    );
    expect(snippetOf("key = x;", 1, [""])).toBe("key = x;");
  });

  it("cuts a long line around the column, without half a surrogate pair", () => {
    const long = `${"a".repeat(200)}😀${"b".repeat(200)}`;
    expect(snippetOf("a".repeat(160), 150, [])).toBe("a".repeat(160));
    expect(snippetOf(long, 1, [])).toBe(`${"a".repeat(160)}…`);
    expect(snippetOf(long, 201, [])).toBe(`…${"a".repeat(39)}😀${"b".repeat(119)}…`);
    expect(snippetOf(long, 241, [])).toBe(`…\ufffd${"b".repeat(159)}…`);
    expect(snippetOf(long, 402, [])).toBe(`…${"b".repeat(160)}`);
  });
});
