import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mentionsIn } from "../../../../src/tools/context-optimizer/retrieval/mentions.ts";
import { recordStarts } from "../../../../src/tools/context-optimizer/retrieval/records.ts";
import { sectionPieces } from "../../../../src/tools/context-optimizer/retrieval/sections.ts";
import { runs } from "../../../support/runs.ts";

describe("sectionPieces()", () => {
  const HEADINGS = ["# One", "###### Six of them", "#\tTab"];
  const OTHERS = ["####### seven", "#none", "# ", "text", " # indented", "", "  ", "a # b"];
  const line = fc.oneof(
    { arbitrary: fc.constantFrom(...HEADINGS), weight: 1 },
    { arbitrary: fc.constantFrom(...OTHERS), weight: 12 },
  );

  it("splits at headings, and at the last empty line within 40 lines", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 150 }), (lines) => {
        const pieces = sectionPieces(lines);
        expect(pieces.flatMap(({ from, to }) => lines.slice(from, to))).toEqual(lines);
        for (const [index, { from, to, names }] of pieces.entries()) {
          expect(to).toBeGreaterThan(from);
          const own = lines.slice(from, to);
          const heading = lines.slice(0, to).findLast((each) => HEADINGS.includes(each));
          expect(names).toEqual(heading === undefined ? [] : [heading.replace(/^#+\s/, "")]);
          expect(own.slice(1).some((each) => HEADINGS.includes(each))).toBe(false);
          const next = lines[to];
          if (next === undefined || HEADINGS.includes(next)) continue;
          // The piece was cut at forty lines. Lines after the last empty one go to the next piece.
          const forty = lines.slice(from, from + 40);
          const until = forty.findLastIndex((each) => each.trim() === "") + 1;
          const wholes = forty.slice(0, 40).findIndex((each, at) => at > 0 && HEADINGS.includes(each));
          expect(wholes, `piece ${index}`).toBe(-1);
          expect(own).toHaveLength(until > 0 ? until : 40);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("recordStarts()", () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const record = fc.dictionary(fc.string({ maxLength: 4 }), value, { maxKeys: 3 });
  const indent = fc.constantFrom(undefined, 1, 2);

  it("finds every object of a list", () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), indent, (records, space) => {
        const text = JSON.stringify(records, null, space);
        const starts = recordStarts(text);
        expect(starts).toHaveLength(records.length + 1);
        for (const [index, each] of records.entries()) {
          const own = text.slice(starts[index + 1], starts[index + 2]).replace(/[\s,\]]*$/, "");
          expect(JSON.parse(own)).toEqual(JSON.parse(JSON.stringify(each)));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("finds every line after the first in JSON lines", () => {
    const lines = fc.array(fc.dictionary(fc.constantFrom("a", "}", '"', "\\"), fc.string()), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(lines, (records) => {
        const written = records.map((each) => JSON.stringify(each));
        const starts = written.map((_, index) => written.slice(0, index).join("\n").length + 1);
        expect(recordStarts(written.join("\n"))).toEqual([0, ...starts.slice(1)]);
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    ['{"page": 1, "orders": [{"id": 1, "lines": [{"sku": 1}, {"sku": 2}]}, {"id": 2}]}', [23, 69]],
    ['{"a": {"b": 1}, "c": {"d": 2}}', []],
    ["[1, 2, 3]", []],
    ['[[{"a": 1}, {"a": 2}], {"b": 1}]', [2, 12]],
    ['[{"a": "', [1]],
  ])("finds in %s the members of the outermost list of objects", (text, starts) => {
    expect(recordStarts(text)).toEqual([0, ...starts]);
  });
});

describe("mentionsIn()", () => {
  const FILES = ["src/cache.ts", "lib/cache.ts", "src/app/Main.java", "setup.py", "a/b-c_d.test.tsx"];
  const named = (text: string) => {
    const { mentions, lines } = mentionsIn(text, FILES);
    return FILES.flatMap((file, index) => {
      const own = [...(mentions[index] ?? [])];
      return own.length > 0 ? [[file, own, lines.get(index) ?? []]] : [];
    });
  };

  it.each<[string, ReturnType<typeof named>]>([
    ["at src/cache.ts:12:5", [["src/cache.ts", ["src/cache.ts:12"], [12]]]],
    ["src/cache.ts(7,1): error", [["src/cache.ts", ["src/cache.ts:7"], [7]]]],
    ['File "/srv/x/setup.py", line 30, in main', [["setup.py", ["/srv/x/setup.py:30"], [30]]]],
    ["C:\\work\\src\\app\\main.java", [["src/app/Main.java", ["\\work\\src\\app\\main.java"], []]]],
    ["see SETUP.PY", [["setup.py", ["SETUP.PY"], []]]],
    [
      "b-c_d.test.tsx:3 and b-c_d.test.tsx:9",
      [["a/b-c_d.test.tsx", ["b-c_d.test.tsx:3", "b-c_d.test.tsx:9"], [3, 9]]],
    ],
    ["xsrc/cache.ts and other/setup.pyx", []],
    ["app/Main.kt, cache, .ts", []],
    [
      "cache.ts",
      [
        ["src/cache.ts", ["cache.ts"], []],
        ["lib/cache.ts", ["cache.ts"], []],
      ],
    ],
  ])("finds the files and lines in %s", (text, found) => {
    expect(named(text)).toEqual(found);
  });

  it("ignores a file name that more than five files have", () => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => `p${index}/index.ts`);
    const count = (many: number) =>
      mentionsIn("index.ts:1", files(many)).mentions.filter(({ size }) => size > 0).length;
    expect([count(5), count(6)]).toEqual([5, 0]);
  });
});

describe("headings", () => {
  const namesIn = (text: string, id?: string) =>
    sectionPieces(text.split("\n"), id).map(({ names }) => names.join());

  it.each([
    "Makefile",
    "main.tf",
    ".github/workflows/deploy.yml",
    "docker/Dockerfile",
    ".env",
    "CODEOWNERS",
    "app.toml",
  ])("are none of comments in %s, which begin pieces without a name", (id) =>
    expect(namesIn("# Copyright\n# of a company\na: 1\n\n# Deploy\nb: 2", id)).toEqual(["", ""]),
  );

  it.each([undefined, "README.md", "docs/guide.mdx", "README", "notes", "a.txt"])(
    "name the sections of %s",
    (id) => expect(namesIn("# Shop\ntext\n## Deploy\ntext", id)).toEqual(["Shop", "Deploy"]),
  );

  it("are none of comments in a block of code", () =>
    expect(namesIn("# Shop\n```sh\n# install\nnpm ci\n```\n~~~~\n```\n# a\n~~~~\n# End", "a.md")).toEqual([
      "Shop",
      "End",
    ]));
});
