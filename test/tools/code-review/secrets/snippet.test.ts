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
    expect(snippetOf(long, 240, [])).toBe(`…😀${"b".repeat(158)}…`);
    expect(snippetOf(long, 241, [])).toBe(`…${"b".repeat(159)}…`);
    expect(snippetOf(`${"a".repeat(159)}😀${"b".repeat(200)}`, 1, [])).toBe(`${"a".repeat(159)}…`);
    expect(snippetOf("a\ud83d = 1", 1, [])).toBe("a\ufffd = 1");
    expect(snippetOf(long, 402, [])).toBe(`…${"b".repeat(160)}`);
  });

  it("shows the column even behind a secret that is longer than its mask", () => {
    const secret = "s".repeat(200);
    const line = `key = "${secret}"; run(x);`;
    expect(snippetOf(line, line.indexOf("run"), [secret])).toBe('key = "ssss****"; run(x);');
    const filled = `${line}${"b".repeat(300)}`;
    expect(snippetOf(filled, line.indexOf("run"), [secret])).toBe(
      `key = "ssss****"; run(x);${"b".repeat(135)}…`,
    );
    const later = `key = "${secret}"; ${"a".repeat(100)}run(x);${"b".repeat(300)}`;
    expect(snippetOf(later, later.indexOf("run"), [secret])).toBe(
      `…${"a".repeat(40)}run(x);${"b".repeat(113)}…`,
    );
  });
});
