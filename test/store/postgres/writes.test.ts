import { describe, expect, it } from "vitest";
import {
  assertText,
  counterKey,
  deletionOf,
  isLive,
  namesIn,
  Writes,
  writeOf,
} from "../../../src/store/postgres/writes.ts";
import { collection } from "../../../src/store/store.ts";

const notes = collection<unknown>("notes");
const followed = collection<unknown>("followed", { changes: true });
const DAY = 24 * 60 * 60 * 1000;

const put = (id: string, text: string | undefined) => ({
  collection: "notes",
  space: "s",
  id,
  text,
  expiresAt: Infinity,
});

describe("Writes", () => {
  it("keeps the last version of each document, in the order of writing", () => {
    const writes = new Writes();
    for (const [id, text] of [
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
    ] as const) {
      writes.write(put(id, text));
    }
    expect([...writes.documents.values()].map(({ id, text }) => id + text)).toEqual(["b2", "a3"]);
    expect(writes.document("notes", "s", "a")?.text).toBe("3");
    expect(writes.document("notes", "t", "a")).toBeUndefined();
  });

  it("sums the increments of each counter", () => {
    const writes = new Writes();
    writes.add(counterKey("visits", "s", "a"), 2);
    writes.add(counterKey("visits", "s", "a"), -5);
    expect(writes.added(counterKey("visits", "s", "a"))).toBe(-3);
    expect(writes.added(counterKey("visits", "s", "b"))).toBe(0);
  });

  it("absorbs later writes, and is empty after clear()", () => {
    const [first, second] = [new Writes(), new Writes()];
    first.write(put("a", "1"));
    first.write(put("b", "1"));
    first.add(counterKey("visits", "s", "a"), 1);
    second.write(put("a", undefined));
    second.add(counterKey("visits", "s", "a"), 1);
    first.absorb(second);
    expect([...first.documents.values()].map(({ id, text }) => [id, text])).toEqual([
      ["b", "1"],
      ["a", undefined],
    ]);
    expect(first.added(counterKey("visits", "s", "a"))).toBe(2);
    first.clear();
    expect(first.none).toBe(true);
    const [document, counter] = [new Writes(), new Writes()];
    document.write(put("a", "1"));
    counter.add(counterKey("visits", "s", "a"), 1);
    expect([document.none, counter.none]).toEqual([false, false]);
  });
});

describe("a document", () => {
  it("is written as JSON, without expiry unless one is given", () => {
    const written = { collection: "notes", space: "s", id: "a", text: '{"a":1}' };
    expect(writeOf(notes, "s", "a", { a: 1 })).toEqual({ ...written, expiresAt: Infinity });
    expect(writeOf(notes, "s", "a", { a: 1 }, { expiresAt: 5 })).toEqual({ ...written, expiresAt: 5 });
  });

  it("must be a JSON value with a number as its expiry", () => {
    expect(() => writeOf(notes, "s", "a", undefined)).toThrow("a document must be a JSON value");
    for (const expiresAt of [Number.NaN, new Date(0), "2026-11-30", null] as number[])
      expect(() => writeOf(notes, "s", "a", 1, { expiresAt })).toThrow("no time of expiry: ");
  });

  it("is live until it expires or is deleted", () => {
    const row = { text: "1", expiresAt: 10 };
    expect(isLive(row, 9)).toBe(true);
    expect(isLive(row, 10)).toBe(false);
    expect(isLive({ text: undefined, expiresAt: 10 }, 9)).toBe(false);
    expect(isLive(undefined, 9)).toBe(false);
  });

  it("is remembered as deleted for a week, but only in a collection with a change feed", () => {
    expect(deletionOf(followed, "s", "a", 1000)).toMatchObject({
      text: undefined,
      expiresAt: 1000 + 7 * DAY,
    });
    expect(deletionOf(notes, "s", "a", 1000)).toMatchObject({ text: undefined, expiresAt: 0 });
  });
});

it("namesIn() returns the after and prefix of list options, if given", () => {
  expect(namesIn({ after: "a", prefix: "b", limit: 1, order: "descending" })).toEqual(["a", "b"]);
  expect(namesIn({ prefix: "" })).toEqual([""]);
  expect(namesIn({})).toEqual([]);
});

it("assertText() refuses NUL, lone surrogates and values that are not strings", () => {
  for (const name of ["", "a", "ü😀", "a\u0001"]) expect(() => assertText(name)).not.toThrow();
  for (const name of ["a\0b", "\ud800", "😀".slice(1), undefined, 7, ["a"]]) {
    expect(() => assertText(name as string)).toThrow(TypeError);
  }
});
