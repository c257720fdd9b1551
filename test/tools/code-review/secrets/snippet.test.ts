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

  it("masks a secret as a whole that begins with another one", () => {
    const [short, long] = ["abcdefghijkl", "abcdefghijklmnopqrstuvwxyz"];
    expect(snippetOf(`a = "${short}"; b = "${long}";`, 0, [short, long])).toBe(
      'a = "abcd****"; b = "abcd****";',
    );
  });

  it("masks a secret far into a long line, and one that begins long before what is shown", () => {
    const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const beside = `${"a ".repeat(20_000)}apiToken = "Zq8R1tY4uI7oP0aS"; ${token}; run(x)${" b".repeat(20_000)}`;
    expect(snippetOf(beside, beside.indexOf("run"), [])).toContain('"Zq8R****"; ghp_****; run(x) b b');
    for (const column of [0, 3990, 3999, 4000, 4010, 4039, 4040, 8100]) {
      const line = `${"x = 1; ".repeat(600).slice(0, 4000)}${token}${" y = 2;".repeat(600)}`;
      expect(snippetOf(line, column, [])).not.toContain("16C7e42F");
    }
  });

  it.each([0, 18, 1000, 3000, 5900, 6021])(
    "masks a secret of 6,000 characters as seen from column %d",
    (column) => {
      const secret = Array.from(
        { length: 6000 },
        (_, at) => "aB3dE6gH9jK2mN5pQ8sT1vW4"[(7 * at + (at % 13)) % 24],
      ).join("");
      const line = `const apiToken = "${secret}"; run(x);`;
      expect(snippetOf(line, column, [secret])).toMatch(
        /(?:^const apiToken = "|^…)a9Qa\*{4}(?:"; run\(x\);|…)$/,
      );
    },
  );

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
