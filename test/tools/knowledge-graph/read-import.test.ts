import { describe, expect, it } from "vitest";
import type { Problem } from "../../../src/contract/problem.ts";
import { relationshipKey } from "../../../src/tools/knowledge-graph/documents.ts";
import {
  type ImportSlice,
  packImport,
  packLines,
  pathOfEnd,
} from "../../../src/tools/knowledge-graph/read-import.ts";

const slicesIn = (packed: Iterable<Uint8Array>): ImportSlice[] =>
  [...packed].map((part) => JSON.parse(Buffer.from(part).toString()));
const pathsIn = (slice: ImportSlice | undefined) =>
  slice?.kind === "ends" ? slice.items.map(([id, place]) => [id, pathOfEnd(slice.of, place)]) : [];
const entity = (id: string | undefined, name = "") => ({ ...(id !== undefined && { id }), type: "t", name });
const related = (from: string, to: string, weight?: number) => ({
  from,
  to,
  type: "t",
  ...(weight !== undefined && { weight }),
});
const keyed = (relationship: ReturnType<typeof related>) => [relationshipKey(relationship), relationship];

describe("packImport()", () => {
  it("packs ends outside the import first, then entities, then relationships, without duplicates", () => {
    const entities = [entity("a", "first"), entity(undefined, "x"), entity("b"), entity("a", "last")];
    const relationships = [related("a", "c"), related("d", "c"), related("b", "a", 1), related("b", "a", 2)];
    const [ends, ...others] = slicesIn(packImport({ entities, relationships }));
    expect(pathsIn(ends)).toEqual([
      ["c", "relationships.0.to"],
      ["d", "relationships.1.from"],
    ]);
    expect(others).toEqual([
      { kind: "entities", items: [entity("a", "last"), entity("b"), entity(undefined, "x")] },
      {
        kind: "relationships",
        items: [keyed(related("a", "c")), keyed(related("d", "c")), keyed(related("b", "a", 2))],
      },
    ]);
    expect(slicesIn(packImport({ entities: [], relationships: [] }))).toEqual([]);
  });

  it("packs 250 items per slice", () => {
    const entities = Array.from({ length: 501 }, (_, at) => entity(`e${at}`));
    const slices = slicesIn(packImport({ entities, relationships: [] }));
    expect(slices.map(({ items }) => items.length)).toEqual([250, 250, 1]);
    expect(slices.flatMap(({ items }): unknown[] => items)).toEqual(entities);
  });

  it("packs up to 65,536 characters per slice, or a single longer item", () => {
    const { length } = JSON.stringify(entity("0"));
    const most = 65_536 - JSON.stringify({ kind: "entities", items: [] }).length - ",".length;
    const lengths = (...sizes: number[]) => {
      const entities = sizes.map((size, at) => entity(String(at), "x".repeat(size - length)));
      return slicesIn(packImport({ entities, relationships: [] })).map(({ items }) => items.length);
    };
    expect(lengths(30_000, most - 30_000)).toEqual([2]);
    expect(lengths(30_000, most - 29_999)).toEqual([1, 1]);
    expect(lengths(30_000, most - 29_999, 29_999)).toEqual([1, 2]);
    expect(lengths(30_000, 30_000, 30_000, 30_000)).toEqual([2, 2]);
    expect(lengths(70_000, 100, 70_000)).toEqual([1, 1, 1]);
  });
});

describe("an import of lines", () => {
  const pack = (text: string | Uint8Array) => slicesIn(packLines(Buffer.from(text as string)));
  const line = (id: string) => JSON.stringify({ entity: entity(id, "n") });
  const refusal = (text: string | Uint8Array): Problem => {
    try {
      pack(text);
    } catch (error) {
      return error as Problem;
    }
    throw new Error("It was taken.");
  };

  it("skips a leading byte order mark", () => {
    const line = '{"entity":{"id":"a","type":"t","name":"a"}}';
    expect(pack(`\ufeff${line}\n`)).toEqual(pack(line));
    expect(pack("\ufeff")).toEqual([]);
  });

  it("accepts LF, CRLF, blank lines and a last line without a line break", () => {
    const expected = [{ kind: "entities", items: [entity("a", "n"), entity("ö", "n")] }];
    for (const text of [`${line("a")}\n${line("ö")}`, `\n \r\n${line("a")}\r\n\n${line("ö")}\n`])
      expect(pack(text)).toEqual(expected);
    expect(pack("\n\n \t\n")).toEqual([]);
  });

  it("names ends by their line numbers, counting empty lines", () => {
    const text = ["", JSON.stringify({ relationship: related("a", "b") }), line("a"), ""].join("\n");
    expect(pathsIn(pack(text)[0])).toEqual([["b", "lines.1.relationship.to"]]);
  });

  it("accepts the times that the server shows", () => {
    const times = { createdAt: "2001-01-01T00:00:00.000Z", updatedAt: "2001-01-01T00:00:00.000Z" };
    const text = ["a", "b"].map((id) => JSON.stringify({ entity: { ...entity(id, "n"), ...times } }));
    text.push(JSON.stringify({ relationship: { ...related("a", "b"), ...times } }));
    expect(pack(text.join("\n")).map(({ kind, items }) => [kind, items.length])).toEqual([
      ["entities", 2],
      ["relationships", 1],
    ]);
  });

  it("leaves out createdAt and updatedAt of any size", () => {
    const much = { createdAt: "x".repeat(1_000_000), updatedAt: [[["x"]]] };
    const entities = [
      { ...entity("a", "n"), ...much },
      { type: "t", name: "n", ...much },
    ];
    const relationships = [{ ...related("a", "a"), ...much }];
    expect(slicesIn(packImport({ entities, relationships }))).toEqual([
      { kind: "entities", items: [entity("a", "n"), { type: "t", name: "n" }] },
      { kind: "relationships", items: [keyed(related("a", "a"))] },
    ]);
  });

  it("is refused if it is not valid UTF-8", () => {
    expect(refusal(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ error: "invalid_json" });
  });

  it.each([
    [99, "invalid_json"],
    [100, "invalid_request"],
  ])("is read until it has 100 faults: %i faults before a line that is not JSON", (count, error) => {
    expect(refusal(`${"{}\n".repeat(count)}{`).error).toBe(error);
  });

  it("is refused beyond the maximum number of lines, not counting empty ones", () => {
    const packedIn = (text: string) => slicesIn(packLines(Buffer.from(text), 1200));
    const most = Array.from({ length: 1200 }, (_, at) => line(`e${at}`)).join("\n\n");
    expect(packedIn(most).flatMap(({ items }): unknown[] => items)).toHaveLength(1200);
    expect(() => packedIn(`${most}\n${line("more")}`)).toThrow(
      expect.objectContaining({
        error: "payload_too_large",
        message: "The body holds more than 1,200 lines. Send it in parts.",
      }),
    );
    expect(() => packedIn(`${most}\n{`)).toThrow(expect.objectContaining({ error: "payload_too_large" }));
  });

  it("names at most 100 faults, even if the last line read has more than one", () => {
    const { errors } = refusal(`${"{}\n".repeat(99)}{"entity":{}}`).extras;
    expect(errors).toHaveLength(100);
    expect([errors?.[0]?.path, errors?.[99]?.path]).toEqual(["lines.0", "lines.99.entity.type"]);
  });

  it("is refused for a fault in its only or its last line", () => {
    for (const text of ["7", `${line("a")}\n7`]) expect(refusal(text).error).toBe("invalid_request");
  });
});
