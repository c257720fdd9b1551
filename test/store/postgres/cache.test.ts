import { expect, it } from "vitest";
import { createCache } from "../../../src/store/postgres/cache.ts";
import type { Row } from "../../../src/store/postgres/lookups.ts";

/** Creates a cache over a database that answers when the test tells it to. */
function cacheOver(database: { text: string | undefined }) {
  let trusted = true;
  const open: (() => void)[] = [];
  const cache = createCache(
    {
      document: () => {
        const { text } = database;
        const row: Row | undefined = text === undefined ? undefined : { text, expiresAt: Infinity };
        return new Promise((resolve) => open.push(() => resolve(row)));
      },
    },
    () => trusted,
  );
  return {
    cache,
    get: () => cache.get("credentials", "global", "key"),
    trust: (now: boolean) => {
      trusted = now;
    },
    /** Answers all pending queries, and returns their number. */
    answer: () => open.splice(0).map((answer) => answer()).length,
  };
}

const key = { collection: "credentials", space: "global", id: "key" };

it("the cache queries an unchanged document once", async () => {
  const { get, answer } = cacheOver({ text: "1" });
  const first = get();
  expect(answer()).toBe(1);
  expect((await first)?.text).toBe("1");
  expect((await get())?.text).toBe("1");
  expect(answer()).toBe(0);
});

it("the cache does not keep a document that was dropped while being read", async () => {
  const database = { text: "old" };
  const { cache, get, answer } = cacheOver(database);
  const reading = get();
  database.text = "new";
  cache.drop([key]);
  answer();
  expect((await reading)?.text).toBe("old");
  const again = get();
  expect(answer()).toBe(1);
  expect((await again)?.text).toBe("new");
});

it("the cache does not keep a document that was being read when it was cleared", async () => {
  const { cache, get, answer } = cacheOver({ text: "1" });
  const reading = get();
  cache.clear();
  answer();
  await reading;
  void get();
  expect(answer()).toBe(1);
});

it("the cache queries the database while it is not trusted, and keeps earlier entries", async () => {
  const { get, answer, trust } = cacheOver({ text: "1" });
  const first = get();
  answer();
  await first;
  trust(false);
  void get();
  expect(answer()).toBe(1);
  trust(true);
  expect((await get())?.text).toBe("1");
  expect(answer()).toBe(0);
});

it("the cache does not keep what it began to read untrusted, whether the trust returns before or after the answer", async () => {
  for (const isTrustedFirst of [true, false]) {
    const { get, answer, trust } = cacheOver({ text: "1" });
    trust(false);
    const reading = get();
    if (isTrustedFirst) trust(true);
    answer();
    expect((await reading)?.text).toBe("1");
    trust(true);
    void get();
    expect(answer()).toBe(1);
  }
});
