import { expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import {
  errorGroups,
  errorGroupsByTime,
  observabilityCollections,
  timeId,
} from "../../../src/tools/observability/documents.ts";
import type { Source } from "../../../src/tools/observability/groups/contract.ts";
import type { Occurrence } from "../../../src/tools/observability/occurrence.ts";
import { record } from "../../../src/tools/observability/record.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";

/** Creates a project with the maximum number of errors, seen a millisecond apart. */
async function openFull(sourceOf: (index: number) => Source) {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: observabilityCollections });
  const start = clock.now();
  const occurrence = (fingerprint: string, source: Source, at: number): Occurrence => {
    const words = { type: "Error", message: fingerprint };
    return { fingerprint, source, ...words, count: 1, firstAt: start + at, lastAt: start + at };
  };
  await store.transact(async (tx) => {
    for (let index = 0; index < 1000; index++) {
      const [id, source, at] = [`e${index}`, sourceOf(index), start + index];
      const seen = { count: 1, firstSeenAt: at, lastSeenAt: at };
      await tx.put(errorGroups, GLOBAL, id, { source, type: "Error", message: id, ...seen });
      await tx.put(errorGroupsByTime, GLOBAL, timeId(at, id), { source });
    }
  });
  return {
    record: (fingerprint: string, source: Source, at = 5000) =>
      store.transact((tx) => record(tx, GLOBAL, occurrence(fingerprint, source, at))),
    /** Returns which of the errors are kept, and asserts that the list by time agrees. */
    kept: async (...ids: string[]) => {
      const [groups, times] = await store.transact(async (tx) => [
        await tx.list(errorGroups, GLOBAL),
        await tx.list(errorGroupsByTime, GLOBAL),
      ]);
      expect(times.map(({ id }) => id.slice(17)).sort()).toEqual(groups.map(({ id }) => id).sort());
      expect(groups).toHaveLength(1000);
      return ids.filter((id) => groups.some((group) => group.id === id));
    },
  };
}

it("a new error evicts the oldest of its own source from a full project", async () => {
  const { record, kept } = await openFull((index) => (index === 500 || index === 700 ? "client" : "server"));
  await record("invented", "client");
  expect(await kept("e0", "e500", "e700", "invented")).toEqual(["e0", "e700", "invented"]);
  await record("own", "server");
  expect(await kept("e0", "e1", "e700", "own")).toEqual(["e1", "e700", "own"]);
});

it("the first error of a source evicts the oldest of all errors from a full project", async () => {
  const { record, kept } = await openFull(() => "server");
  await record("invented", "client");
  expect(await kept("e0", "e1", "invented")).toEqual(["e1", "invented"]);
});

it("a known error evicts nothing, and its age counts from when it was last seen", async () => {
  const { record, kept } = await openFull(() => "server");
  await record("e0", "server");
  await record("e1", "server", -10);
  expect(await kept("e0", "e1", "e2")).toEqual(["e0", "e1", "e2"]);
  await record("new", "server");
  expect(await kept("e0", "e1", "e2")).toEqual(["e0", "e2"]);
});
