import { expect, it, onTestFinished } from "vitest";
import { openMemoryStore } from "../../../src/store/memory.ts";
import { GLOBAL, type Store } from "../../../src/store/store.ts";
import { reporters } from "../../../src/tools/observability/documents.ts";
import { createReporters, forgetReporter } from "../../../src/tools/observability/reporters.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";

it("forgetReporter() deletes what is known of one project's key, and nothing of another's", async () => {
  const clock = fakeClock();
  const store = openMemoryStore(clock) as Store;
  onTestFinished(() => store.close());
  const known = createReporters({ store, random: seededRandom(clock) });
  const project = { accountId: "acc_1", projectId: "shop" };
  await store.transact((tx) => forgetReporter(tx, project));
  const key = await known.keyOf("acc_1", "shop");
  const other = await known.keyOf("acc_1", "web");
  await store.transact((tx) => forgetReporter(tx, project));
  expect(await store.transact((tx) => tx.ids(reporters, GLOBAL))).toEqual([other.number]);
  expect(await known.find(key)).toBeUndefined();
  await store.transact((tx) => forgetReporter(tx, project));
  expect(await known.keyOf("acc_1", "shop")).toEqual(key);
  expect(await known.find(key)).toEqual(project);
});
