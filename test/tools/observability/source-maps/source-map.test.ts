import { describe, expect, it } from "vitest";
import { originalsOf } from "../../../../src/tools/observability/source-maps/restore.ts";
import { readSourceMap } from "../../../../src/tools/observability/source-maps/source-map.ts";
import { mapOf } from "../../../support/source-maps.ts";

function read(map: unknown) {
  return readSourceMap(Buffer.from(typeof map === "string" ? map : JSON.stringify(map)));
}

function sections(depth: number): object {
  if (depth === 0) return mapOf("a.ts");
  return { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: sections(depth - 1) }] };
}

describe("a source map", () => {
  it("gives the original of a place with the source lines around it", () => {
    const [found, none] = originalsOf(mapOf("src/shop.ts") as never, [
      { line: 1, column: 1 },
      { line: 9, column: 1 },
    ]);
    expect(found).toEqual({
      file: "src/shop.ts",
      line: 3,
      column: 5,
      name: "priceOf",
      source: { from: 1, lines: ["one", "two", "three()", "four"] },
    });
    expect(none).toBeNull();
  });

  it.each([[[null]], [[""]], [[]]])("gives no original in a source without a name: %j", (sources) => {
    const { map } = read({ ...(mapOf("a.ts") as object), sources }) as { map: never };
    expect(originalsOf(map, [{ line: 1, column: 1 }])).toEqual([null]);
  });

  it("may begin with a )]}' line, and contain that text elsewhere", () => {
    const map = { ...(mapOf("a.ts") as object), file: ")]}'" };
    for (const text of [`)]}' never run\n${JSON.stringify(map)}`, JSON.stringify(map, null, 1)]) {
      expect(read(text)).toEqual({ map });
    }
  });

  it("may have nested sections, but is refused with too many or too deep ones", () => {
    expect(originalsOf(sections(3) as never, [{ line: 1, column: 1 }])).toMatchObject([
      { file: "a.ts", line: 3 },
    ]);
    expect(read(sections(3))).toHaveProperty("map");
    expect(read(sections(5))).toEqual({ why: "has more sections than are read" });
    const wide = Array.from({ length: 2000 }, (_, line) => ({
      offset: { line, column: 0 },
      map: mapOf("a.ts"),
    }));
    expect(read({ version: 3, sections: wide })).toEqual({ why: "has more sections than are read" });
  });

  it.each([
    ["{", "is no JSON"],
    [[], "is no source map"],
    [{ version: 2, mappings: "", sources: [] }, "is no source map of version 3"],
    [{ version: 3, mappings: 7, sources: [] }, "is no source map"],
    [{ version: 3, sections: [{ map: {} }] }, "has a section without a place"],
    [{ version: 3, sections: [null] }, "has a section without a place"],
    [{ version: 3, mappings: ";".repeat(9 * 1024 * 1024), sources: [] }, "has more than 8 MiB of mappings"],
  ])("is refused if it is invalid or too large: %#", (map, why) => {
    expect(read(map)).toEqual({ why });
  });
});
