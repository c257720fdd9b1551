import { describe, expect, it } from "vitest";
import { createCommit } from "../../../../src/store/postgres/commit.ts";
import { announcement } from "../../../../src/store/postgres/connection/listener.ts";
import type { Session } from "../../../../src/store/postgres/connection/session.ts";
import { type DocumentKey, Writes } from "../../../../src/store/postgres/writes.ts";

const COLLECTIONS = new Map(
  [
    { name: "plain", changes: false, cached: false },
    { name: "shared", changes: false, cached: true },
  ].map((collection) => [collection.name, collection]),
);
const key = (collection: string, id: string): DocumentKey => ({ collection, space: "s", id });

async function committed(written: DocumentKey[], sent: DocumentKey[] = [], failure?: Error) {
  const statements: { name?: string | undefined; values?: unknown[] | undefined }[] = [];
  const dropped: string[] = [];
  const session = {
    commit: async (given: typeof statements) => {
      statements.push(...given);
      if (failure) throw failure;
    },
  } as unknown as Session;
  const cache = {
    drop: (keys: Iterable<DocumentKey>) => void dropped.push(...Array.from(keys, ({ id }) => id)),
  };
  const writes = new Writes();
  for (const each of written) writes.write({ ...each, text: "1", expiresAt: Infinity });
  const outcome = createCommit(COLLECTIONS, cache)(session, writes, sent);
  await (failure ? expect(outcome).rejects.toBe(failure) : outcome);
  return { names: statements.map(({ name }) => name), told: statements.at(-1)?.values?.[1], dropped };
}

describe("a commit", () => {
  it("announces last which documents of cached collections were written now or sent before", async () => {
    const written = [key("plain", "a"), key("shared", "b")];
    const { names, told, dropped } = await committed(written, [key("shared", "c"), key("plain", "d")]);
    expect(names.at(-1)).toBe("announce");
    expect(names).toHaveLength(3);
    expect(JSON.parse(told as string)).toEqual([
      ["shared", "s", "c"],
      ["shared", "s", "b"],
    ]);
    expect(dropped).toEqual(["c", "b"]);
  });

  it("announces no documents of other collections", async () => {
    const { names, dropped } = await committed([key("plain", "a")]);
    expect(names).not.toContain("announce");
    expect([names.length, dropped]).toEqual([1, []]);
    expect((await committed([])).names).toEqual([]);
  });

  it("drops the written documents from the cache even if it fails", async () => {
    const { dropped } = await committed([key("shared", "a")], [], new Error("gone"));
    expect(dropped).toEqual(["a"]);
  });

  it("names the written documents in up to 7900 bytes, or else announces an empty text", () => {
    const said = (id: string) => (announcement([key("c", id)]).values as string[])[1];
    const around = '[["c","s",""]]'.length;
    expect(said("x".repeat(7900 - around))).toHaveLength(7900);
    expect(said("x".repeat(7901 - around))).toBe("");
    expect(said("é".repeat((7900 - around) / 2))).not.toBe("");
    expect(said("é".repeat((7902 - around) / 2))).toBe("");
  });
});
