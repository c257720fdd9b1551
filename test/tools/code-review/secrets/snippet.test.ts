import { describe, expect, it } from "vitest";
import { snippetOf } from "../../../../src/tools/code-review/snippet.ts";

describe("the line that a finding shows", () => {
  it("keeps the first characters of a secret, of a short one none", () => {
    expect(snippetOf('  key = "abcdefghijkl";', 3, ["abcdefghijkl"])).toBe('key = "abcd****";');
    expect(snippetOf('key = "abcdefghijk" + "abcdefghijk";', 1, ["abcdefghijk"])).toBe(
      'key = "****" + "****";',
    );
    expect(snippetOf("key = x;", 1, [""])).toBe("key = x;");
  });

  it("is cut where it is long, around the place, and not within a character", () => {
    const long = `${"a".repeat(200)}😀${"b".repeat(200)}`;
    expect(snippetOf("a".repeat(160), 150, [])).toBe("a".repeat(160));
    expect(snippetOf(long, 1, [])).toBe(`${"a".repeat(160)}…`);
    expect(snippetOf(long, 201, [])).toBe(`…${"a".repeat(39)}😀${"b".repeat(119)}…`);
    expect(snippetOf(long, 241, [])).toBe(`…\ufffd${"b".repeat(159)}…`);
    expect(snippetOf(long, 402, [])).toBe(`…${"b".repeat(160)}`);
  });
});
