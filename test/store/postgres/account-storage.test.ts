import { describe, expect, it } from "vitest";
import { createStorage, mostAdded } from "../../../src/store/postgres/storage.ts";
import { counterKey, Writes } from "../../../src/store/postgres/writes.ts";
import { COUNTER_BYTES } from "../../../src/store/storage-use.ts";
import { fakeClock } from "../../support/clock.ts";

function open() {
  const clock = fakeClock();
  const state = { bytes: 100, asked: [] as unknown[], away: false };
  const storage = createStorage(async ({ values }) => {
    state.asked.push(values?.[0]);
    if (state.away) throw new Error("away");
    return [{ bytes: String(state.bytes), documents: "2", grown_bytes: "0", grown_documents: "0" }];
  }, clock);
  return { clock, state, storage };
}

describe("the cached storage use of an account", () => {
  it("is read at most once a second per account", async () => {
    const { clock, state, storage } = open();
    expect(await storage.of("acc_1")).toEqual({ bytes: 100, documents: 2 });
    state.bytes = 200;
    clock.advance(999);
    expect(await storage.of("acc_1")).toEqual({ bytes: 100, documents: 2 });
    expect(await storage.of("acc_2")).toEqual({ bytes: 200, documents: 2 });
    clock.advance(1);
    expect(await storage.of("acc_1")).toEqual({ bytes: 200, documents: 2 });
    expect(state.asked).toEqual(["acc_1", "acc_2", "acc_1"]);
  });

  it("includes pending writes until it is read again", async () => {
    const { clock, storage } = open();
    storage.addPending("acc_1", { bytes: 1, documents: 1 });
    expect(await storage.of("acc_1")).toEqual({ bytes: 100, documents: 2 });
    storage.addPending("acc_1", { bytes: 10, documents: 1 });
    storage.addPending("acc_1", { bytes: 5, documents: 0 });
    expect(await storage.of("acc_1")).toEqual({ bytes: 115, documents: 3 });
    clock.advance(1000);
    expect(await storage.of("acc_1")).toEqual({ bytes: 100, documents: 2 });
  });

  it("is read again at once after a failed query", async () => {
    const { state, storage } = open();
    state.away = true;
    const asked = storage.of("acc_1");
    storage.addPending("acc_1", { bytes: 1, documents: 1 });
    await expect(asked).rejects.toThrow("away");
    state.away = false;
    expect(await storage.of("acc_1")).toEqual({ bytes: 100, documents: 2 });
  });
});

it("mostAdded() sums the documents and counters of an account and its projects", () => {
  const writes = new Writes();
  const put = (space: string, id: string, text: string | undefined) =>
    writes.write({ collection: "notes", space, id, text, expiresAt: Infinity });
  put("acc_1", "a", '"ü"');
  put("acc_1/web", "b", "12");
  put("acc_1", "deleted", undefined);
  put("acc_2", "a", "12345");
  put("global", "a", "12345");
  writes.add(counterKey("visits", "acc_1", "ü"), 3);
  writes.add(counterKey("visits", "acc_2", "a"), 3);
  expect(mostAdded(writes, "acc_1")).toEqual({ bytes: 1 + 4 + 1 + 2 + 2 + COUNTER_BYTES, documents: 2 });
});
