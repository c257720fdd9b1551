import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../../../../src/contract/problem.ts";
import { parseDiff } from "../../../../src/tools/code-review/diff/parse.ts";

/** Formats the added lines as `path kind: +number text`. */
function shown(diff: string): string[] {
  return parseDiff(diff).flatMap(({ path, kind, binary, hunks }) => [
    `${path} ${kind}${binary ? " binary" : ""}`,
    ...hunks.flatMap(({ lines }) =>
      lines.filter(({ added }) => added).map(({ number, text }) => `  ${number} ${text}`),
    ),
  ]);
}

const HEADER = "diff --git a/a.ts b/a.ts\nindex 1111111..2222222 100644\n--- a/a.ts\n+++ b/a.ts\n";

describe("parseDiff() with output of git diff", () => {
  it("numbers added lines as in the new file", () => {
    const diff = `${HEADER}@@ -1,3 +1,4 @@ function a() {\n one\n-two\n+2\n+two and a half\n three\n@@ -10 +11,2 @@\n ten\n+eleven\n`;
    expect(shown(diff)).toEqual(["a.ts modified", "  2 2", "  3 two and a half", "  12 eleven"]);
  });

  it("distinguishes new, deleted, renamed and copied files and mode changes", () => {
    expect(
      shown(
        [
          "diff --git a/new.ts b/new.ts",
          "new file mode 100644",
          "index 0000000..1",
          "--- /dev/null",
          "+++ b/new.ts",
          "@@ -0,0 +1 @@",
          "+one",
          "diff --git a/old.ts b/old.ts",
          "deleted file mode 100644",
          "index 1..0000000",
          "--- a/old.ts",
          "+++ /dev/null",
          "@@ -1 +0,0 @@",
          "-one",
          "diff --git a/from here.ts b/to here.ts",
          "similarity index 90%",
          "rename from from here.ts",
          "rename to to here.ts",
          "--- a/from here.ts\t",
          "+++ b/to here.ts\t",
          "@@ -1 +1 @@",
          "-one",
          "+two",
          "diff --git a/a b/b",
          "similarity index 100%",
          "copy from a",
          "copy to b",
          "diff --git a/run.sh b/run.sh",
          "old mode 100644",
          "new mode 100755",
          "diff --git a/empty b/empty",
          "new file mode 100644",
          "index 0000000..e69de29",
          "",
        ].join("\n"),
      ),
    ).toEqual([
      "new.ts added",
      "  1 one",
      "old.ts deleted",
      "to here.ts renamed",
      "  1 two",
      "b copied",
      "run.sh mode",
      "empty added",
    ]);
  });

  it("marks binary files, with and without a binary patch", () => {
    expect(
      shown(
        "diff --git a/a.png b/a.png\nindex 1..2 100644\nBinary files a/a.png and b/a.png differ\n" +
          "diff --git a/b.png b/b.png\nindex 1..2 100644\nGIT binary patch\nliteral 5\nMc$`b*O)Vzk\n\nliteral 0\nHc$@<O00001\n\n" +
          "diff --git a/c.ts b/c.ts\n--- a/c.ts\n+++ b/c.ts\n@@ -1 +1 @@\n-a\n+b\n",
      ),
    ).toEqual(["a.png modified binary", "b.png modified binary", "c.ts modified", "  1 b"]);
  });

  it("accepts files without a final newline, on either side", () => {
    const none = "\\ No newline at end of file\n";
    expect(shown(`${HEADER}@@ -1 +1 @@\n-a\n${none}+b\n${none}`)).toEqual(["a.ts modified", "  1 b"]);
    expect(shown(`${HEADER}@@ -1 +1,2 @@\n-a\n${none}+a\n+b`)).toEqual(["a.ts modified", "  1 a", "  2 b"]);
  });

  it("accepts CRLF line endings", () => {
    const diff = `${HEADER}@@ -1,2 +1,2 @@\n-a\n+b\n \n`.replaceAll("\n", "\r\n");
    expect(shown(diff)).toEqual(["a.ts modified", "  1 b"]);
    expect(shown(`${HEADER}@@ -1 +1 @@\n-a\r\n+b\r\n`)).toEqual(["a.ts modified", "  1 b"]);
  });

  it("decodes quoted paths", () => {
    const name = '"b/caf\\303\\251 \\"q\\"\\t.ts"';
    const diff = `diff --git "a/caf\\303\\251 \\"q\\"\\t.ts" ${name}\n--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`;
    expect(shown(diff)).toEqual(['café "q"\t.ts added', "  1 x"]);
  });

  it("accepts paths without prefixes and with those of diff.mnemonicPrefix", () => {
    expect(shown("diff --git src/a.ts src/a.ts\n--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-a\n+b\n")).toEqual([
      "src/a.ts modified",
      "  1 b",
    ]);
    expect(shown("diff --git i/a.ts w/a.ts\n--- i/a.ts\n+++ w/a.ts\n@@ -1 +1 @@\n-a\n+b\n")).toEqual([
      "a.ts modified",
      "  1 b",
    ]);
  });

  it("treats lines of a merge that are new to any parent as added", () => {
    const diff =
      "diff --cc a.ts\nindex 1,2..3\n--- a/a.ts\n+++ b/a.ts\n@@@ -1,3 -1,2 +1,3 @@@\n  same\n -theirs\n- ours\n++both\n +from one\n";
    expect(shown(diff)).toEqual(["a.ts modified", "  2 both", "  3 from one"]);
  });

  it("skips the text of a commit or mail around the diff", () => {
    const diff = `From 1234 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] a\n\n---\n a.ts | 2 +-\n\n${HEADER}@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n`;
    expect(shown(diff)).toEqual(["a.ts modified", "  1 b"]);
  });

  it("reads changed lines that look like headers as content", () => {
    const diff = `${HEADER}@@ -1,2 +1,2 @@\n--- a/not.ts\n-@@ -1 +1 @@\n+++ b/not.ts\n+diff --git a/x b/x\n`;
    expect(shown(diff)).toEqual(["a.ts modified", "  1 ++ b/not.ts", "  2 diff --git a/x b/x"]);
  });
});

describe("parseDiff() with output of diff -u", () => {
  it("strips timestamps from paths and skips lines outside the diff", () => {
    const diff =
      "--- old/a.py\t2026-01-01 00:00:00\n+++ new/a.py\t2026-01-02 00:00:00\n@@ -1 +1,2 @@\n a\n+b\n";
    expect(shown(diff)).toEqual(["new/a.py modified", "  2 b"]);
    expect(shown(`Only in old: x\nIndex: a\n=====\n${diff}${diff}`)).toHaveLength(4);
  });
});

describe("an invalid diff", () => {
  it.each([
    ["no diff at all\n", 1],
    [`${HEADER}@@ -1 +1 @@\n-a\n`, 5],
    [`${HEADER}@@ -1,2 +1 @@\n a\n+b\n`, 7],
    [`${HEADER}@@ -1 +1 @@\n-a\n+b\n+c\n`, 8],
    [`${HEADER}@@ -1 +1 @@\n-a\nb\n`, 7],
    [`${HEADER}@@ nothing @@\n+a\n`, 5],
  ])("is refused with the number of the wrong line: %j", (diff, line) => {
    const refusal = () => parseDiff(diff);
    expect(refusal).toThrow(Problem);
    try {
      refusal();
    } catch (error) {
      const { status, detail, extras } = error as Problem;
      expect([status, extras.members]).toEqual([422, { line }]);
      expect(detail).toContain(`line ${line} is`);
    }
  });

  it("never causes an error other than a Problem", () => {
    const piece = fc.constantFrom(
      ...`${HEADER}@@ -1,2 +1 @@\n a\n-b\n+c\n\\ No newline\n+++ b/x\n\r`.split(/(?<=\n)/),
      "@@ -0,0 +1,9 @@\n",
      "\0",
      "é",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        try {
          parseDiff(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});

it("parseDiff() finds exactly the added lines in arbitrary text", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, ""));
  const change = fc.record({ kind: fc.constantFrom(" ", "+", "-"), text: line });
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 1e6 }),
      (changes, start) => {
        const kept = changes.filter(({ kind }) => kind !== "-");
        const old = changes.filter(({ kind }) => kind !== "+").length;
        const diff = `${HEADER}@@ -${start},${old} +${start},${kept.length} @@\n${changes.map(({ kind, text }) => `${kind}${text}\n`).join("")}`;
        const lines = parseDiff(diff)[0]?.hunks.flatMap(({ lines }) => lines);
        expect(lines).toEqual(
          kept.map(({ kind, text }, index) => ({ number: start + index, text, added: kind === "+" })),
        );
      },
    ),
  );
});
