import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeRecord, locateRecord, readString } from "../../../../src/store/json-file/journal/record.ts";
import { Storage } from "../../../../src/store/json-file/storage.ts";
import { Table } from "../../../../src/store/json-file/table.ts";
import { codePoint } from "../../../support/code-point.ts";

const BEFORE = "earlier\n";
const AFTER = "\nlater";

/** Locates a record between others, and returns its parts in decoded form. */
function found(record: string) {
  const bytes = Buffer.from(BEFORE + record + AFTER);
  const start = Buffer.byteLength(BEFORE);
  const parts = locateRecord(bytes, start, bytes.length - AFTER.length);
  if (!parts) return undefined;
  return {
    kind: parts.kind,
    key: bytes.toString("utf8", parts.key, parts.id),
    id: readString(bytes, parts.id, parts.idEnd),
    expiresAt: parts.expiresAt,
    value: bytes.toString("utf8", parts.value, parts.valueEnd),
  };
}

const text = fc.string({ unit: codePoint });
const table = (kind: "put" | "count", name: string, space: string) =>
  new Table(kind, name, space, new Storage());

describe("a record", () => {
  it("is encoded as JSON and decoded to the same parts", () => {
    const expiry = fc.option(fc.nat(), { nil: Infinity });
    fc.assert(
      fc.property(text, text, text, fc.json(), expiry, (name, space, id, content, expiresAt) => {
        const written = encodeRecord(table("put", name, space), id, {
          content,
          expiresAt,
          version: 1,
          bytes: 1,
        });
        expect(JSON.parse(written)).toEqual({
          put: name,
          space,
          id,
          ...(expiresAt < Infinity && { expiresAt }),
          value: JSON.parse(content),
        });
        expect(found(written)).toEqual({
          kind: "put",
          key: `${JSON.stringify(name)},"space":${JSON.stringify(space)},"id":`,
          id: Buffer.from(id).toString(),
          expiresAt,
          value: content,
        });
      }),
    );
  });

  it("encodes and decodes the total of a counter and a deletion", () => {
    const count = encodeRecord(table("count", "visits", "acc/web"), "2026", {
      content: -7,
      expiresAt: Infinity,
      version: 1,
      bytes: 1,
    });
    expect(count).toBe('{"count":"visits","space":"acc/web","id":"2026","value":-7}');
    expect(found(count)).toMatchObject({ kind: "count", id: "2026", value: "-7", expiresAt: Infinity });
    const deletion = encodeRecord(table("put", "notes", "acc"), 'a"b', undefined);
    expect(deletion).toBe('{"delete":"notes","space":"acc","id":"a\\"b"}');
    expect(found(deletion)).toMatchObject({ kind: "delete", id: 'a"b', expiresAt: Infinity });
  });

  it.each([
    "",
    "{}",
    '{"end":1}',
    '{"move":"notes","space":"acc","id":"a","value":1}',
    '{"put":"notes","space":"acc","id":"a","value":1',
    '{"put":"notes","space":"acc","id":"a"}',
    '{"put":"notes","space":"acc","id":"a","expiresAt":soon,"value":1}',
    '{"delete":"notes","space":"acc","id":"a","value":1}',
    '{"delete":"notes","space":"acc","id":"a}',
  ])("is not recognised in %s", (line) => {
    expect(found(line)).toBeUndefined();
  });
});
