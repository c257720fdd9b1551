import { describe, expect, it } from "vitest";
import { createStyle } from "../../../src/cli/ui/style.ts";
import { fields, table } from "../../../src/cli/ui/table.ts";
import { withEscapes } from "../../../src/cli/ui/terminal-text.ts";
import { columnsOf, hanging, shorten, wrap } from "../../../src/cli/ui/width.ts";
import { testIo } from "../support/io.ts";

describe("table() and fields()", () => {
  const columns = [
    { title: "Name", shrink: true },
    { title: "Count", align: "right" as const },
  ];

  it("align columns under their titles, including wide characters", () => {
    const { io } = testIo();
    expect(
      table(
        columns,
        [
          ["shop", "12"],
          ["商店", "1,234"],
        ],
        io.out,
      ),
    ).toEqual(["Name  Count", "shop     12", "商店  1,234"]);
  });

  it("cut shrinkable cells in a narrow terminal, but not in a pipe", () => {
    const name = "a-project-with-quite-a-long-name";
    const narrow = testIo({ terminal: true, columns: 24 });
    expect(table(columns, [[name, "1"]], narrow.io.out)[1]).toBe("a-project-with…      1");
    expect(table(columns, [[name, "1"]], testIo().io.out)[1]).toContain(name);
  });

  it("pad no row to the length of a single long cell in a pipe", () => {
    const long = "x".repeat(5000);
    const [title, ...rows] = table(
      columns,
      [
        [long, "1"],
        ["shop", "12"],
      ],
      testIo().io.out,
    );
    expect(rows[0]).toBe(`${long}      1`);
    expect([title?.length, rows[1]?.length]).toEqual([127, 127]);
  });

  it("drop minor columns before cutting anything", () => {
    const columns = [
      { title: "Name", shrink: true },
      { title: "Id", minor: true },
      { title: "Made", minor: true },
    ];
    const rows = [["a-long-name", "key_1", "3 min ago"]];
    const at = (width: number) => table(columns, rows, testIo({ terminal: true, columns: width }).io.out)[1];
    expect(at(40)).toBe("a-long-name  key_1  3 min ago");
    expect(at(24)).toBe("a-long-name  key_1");
    expect(at(14)).toBe("a-long-name");
    expect(at(12)).toBe("a-long-na…");
  });

  it("stack the cells of a row that do not fit side by side", () => {
    const columns = [{ title: "Name", shrink: true }, { title: "Id" }, { title: "Made", minor: true }];
    const rows = [
      ["ci", "key_01jd0000000000000000000000", "3 min ago"],
      ["a b", "key_2", "now"],
    ];
    const at = (width: number) => table(columns, rows, testIo({ terminal: true, columns: width }).io.out);
    expect(at(80)).toHaveLength(3);
    expect(at(36)).toEqual([
      "Name  ci",
      "Id\n  key_01jd0000000000000000000000",
      "Made  3 min ago",
      "",
      "Name  a b",
      "Id    key_2",
      "Made  now",
    ]);
  });

  it("stack no cell that is empty", () => {
    const rows = [["a-long-name", ""]];
    const wide = [{ title: "Name" }, { title: "Outcome" }];
    expect(table(wide, rows, testIo({ terminal: true, columns: 20 }).io.out)).toEqual([
      "Name\n  a-long-name",
    ]);
  });

  it("write names before values", () => {
    const { io } = testIo();
    expect(
      fields(
        [
          ["Plan", "team"],
          ["Account", "default"],
        ],
        io.out,
      ),
    ).toEqual(["Plan     team", "Account  default"]);
  });
});

describe("columnsOf(), shorten(), wrap() and hanging()", () => {
  it("count columns, not characters", () => {
    expect(columnsOf("abc")).toBe(3);
    expect(columnsOf("e\u0301")).toBe(1);
    expect(columnsOf("日本")).toBe(4);
    expect(columnsOf("👩‍👩‍👧")).toBe(2);
    expect(columnsOf(createStyle(true).green("ok"))).toBe(2);
  });

  it("give a character the same width by itself as behind a wide one", () => {
    const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    // Those of other scripts may combine with what is before them.
    const plain = all.filter((each) => /[\p{Script=Latin}\p{Script=Common}]/u.test(each));
    const different = plain.filter((each) => columnsOf(each) !== columnsOf(`日${each}`) - 2);
    expect(different).toEqual([]);
  });

  it("cut between characters, and mark the cut", () => {
    expect(shorten("abcdef", 4, "…")).toBe("abc…");
    expect(shorten("日本語", 4, "…")).toBe("日…");
    expect(shorten("abc", 3, "…")).toBe("abc");
  });

  it("break between words, and indent each line like the first", () => {
    expect(wrap("  one two three", 9)).toEqual(["  one two", "  three"]);
    expect(wrap("short", 9)).toEqual(["short"]);
    expect(wrap("http://127.0.0.1:4242/device and more", 12)).toEqual([
      "http://127.0.0.1:4242/device",
      "and more",
    ]);
    expect(hanging("Plan  ", "one two three", 14)).toBe("Plan  one two\n      three");
  });

  it("keep the style of styled text that is cut", () => {
    const style = createStyle(true);
    expect(withEscapes(shorten(`${style.red("abcdef")} x`, 4, "…"))).toBe("\u001b[31mabc…\u001b[39m");
  });

  it("measure foreign text in its sanitized form", () => {
    expect(columnsOf("a\u001b[2Jb")).toBe("a␛[2Jb".length);
    expect(columnsOf("\u202eab\u200b")).toBe(3);
    expect(shorten("one\ntwo\tthree", 40, "…")).toBe("one two three");
    expect(hanging("Name  ", "Ada\nPlan  free", 40)).toBe("Name  Ada\n      Plan  free");
  });
});
