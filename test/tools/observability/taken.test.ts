import { describe, expect, it } from "vitest";
import type { AlertSink } from "../../../src/alerts/alert.ts";
import { GLOBAL, projectSpace } from "../../../src/store/store.ts";
import { createRandom } from "../../../src/system/random.ts";
import {
  errorGroups,
  observabilityCollections,
  reporters,
} from "../../../src/tools/observability/documents.ts";
import type { ReportedError } from "../../../src/tools/observability/reported-error.ts";
import { createReporters, dsnOf } from "../../../src/tools/observability/reporters.ts";
import { createReports } from "../../../src/tools/observability/reports.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";

const PROJECT = { accountId: "acc", projectId: "one" };

type Alert = Parameters<AlertSink["raiseIn"]>[1];

async function open() {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: observabilityCollections });
  const raised: Alert[] = [];
  const lookedUp: unknown[] = [];
  const reports = createReports({
    store,
    random: createRandom(clock),
    raise: async (_, alert) => {
      raised.push(alert);
    },
    sourceMaps: {
      async originals(project, places) {
        lookedUp.push([project, places]);
        return places.map(() => ({ file: "src/shop.ts", line: 3, column: 5 }));
      },
    },
  } as Parameters<typeof createReports>[0]);
  const told = (message: string, more: Partial<ReportedError> = {}): ReportedError => ({
    ...{ source: "client", type: "TypeError", message, frames: [], at: clock.now() },
    ...more,
  });
  const kept = () => store.transact((tx) => tx.list(errorGroups, projectSpace("acc", "one")));
  return { clock, store, reports, raised, lookedUp, told, kept };
}

describe("reports.take()", () => {
  it("counts errors and raises one alert for each new error", async () => {
    const { reports, told, raised, kept } = await open();
    const long = "x".repeat(600);
    const [one, two, again] = await reports.take(PROJECT, [told("broken"), told(long), told("broken")]);
    expect(again?.fingerprint).toBe(one?.fingerprint);
    const counts = (await kept()).map(({ id, value }) => [id, value.count]);
    expect(Object.fromEntries(counts)).toEqual({ [one?.fingerprint ?? ""]: 2, [two?.fingerprint ?? ""]: 1 });
    const alert = (fingerprint: string | undefined, message: string) => ({
      type: "error_group.new",
      accountId: "acc",
      subject: `one/${fingerprint}`,
      data: { projectId: "one", group: fingerprint, source: "client", errorType: "TypeError", message },
    });
    expect(raised).toEqual([
      alert(one?.fingerprint, "broken"),
      alert(two?.fingerprint, `${"x".repeat(499)}…`),
    ]);
    await reports.take(PROJECT, [told("broken")]);
    expect(raised).toHaveLength(2);
  });

  it("stores nothing and raises no alert for an empty list", async () => {
    const { reports, kept, raised } = await open();
    expect(await reports.take(PROJECT, [])).toEqual([]);
    expect([await kept(), raised]).toEqual([[], []]);
  });

  it("groups errors by original files, looked up for known places only", async () => {
    const { reports, told, lookedUp } = await open();
    const places = [{ call: 0, debugId: "d", line: 1, column: 2 }];
    const frames = (file: string) => [{ function: undefined, file, inApp: true }];
    const taken = await reports.take(PROJECT, [
      told("m", { frames: frames("build-1.js"), places }),
      told("m", { frames: frames("build-2.js"), places }),
      told("m", { frames: frames("src/shop.ts") }),
      told("m", { frames: frames("build-2.js"), places: [] }),
    ]);
    const [first, second, own, unknown] = taken.map(({ fingerprint }) => fingerprint);
    expect([second, own]).toEqual([first, first]);
    expect(unknown).not.toBe(first);
    expect(lookedUp).toEqual([
      [PROJECT, places],
      [PROJECT, places],
    ]);
  });
});

describe("the number and key of a project", () => {
  const bytes = (fill: number) => ({ bytes: (length: number) => Buffer.alloc(length, fill) }) as never;
  const fresh = () => openTestStore({ clock: fakeClock(), collections: observabilityCollections });

  it("are unique to each project and derived from the seed in the store", async () => {
    const store = await fresh();
    const { keyOf, find } = createReporters({ store, random: bytes(1) });
    const one = await keyOf("acc", "one");
    expect(await createReporters({ store, random: bytes(2) }).keyOf("acc", "one")).toEqual(one);
    for (const [account, project] of [
      ["acc", "two"],
      ["other", "one"],
    ] as const) {
      const other = await keyOf(account, project);
      expect(other.number).not.toBe(one.number);
      expect(other.key).not.toBe(one.key);
      expect(await find(other)).toEqual({ accountId: account, projectId: project });
      expect(await find({ ...other, key: one.key })).toBeUndefined();
    }
    expect(await find(one)).toEqual(PROJECT);
    expect(await find({ ...one, number: "0" })).toBeUndefined();
    expect(await find({ ...one, key: "" })).toBeUndefined();
    const elsewhere = await createReporters({ store: await fresh(), random: bytes(2) }).keyOf("acc", "one");
    expect([elsewhere.key === one.key, elsewhere.number === one.number]).toEqual([false, false]);
    expect(one.number).toMatch(/^\d{1,15}$/);
    expect(one.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    { accountId: "other", projectId: "one" },
    { accountId: "acc", projectId: "other" },
  ])("use another number if the first is taken by %j", async (holder) => {
    const { number, key } = await createReporters({ store: await fresh(), random: bytes(1) }).keyOf(
      "acc",
      "one",
    );
    const store = await fresh();
    await store.transact((tx) => tx.put(reporters, GLOBAL, number, { ...holder, keyHash: "h".repeat(43) }));
    const { keyOf, find } = createReporters({ store, random: bytes(1) });
    const moved = await keyOf("acc", "one");
    expect([moved.number === number, moved.key]).toEqual([false, key]);
    expect(await keyOf("acc", "one")).toEqual(moved);
    expect([await find(moved), await find({ number, key })]).toEqual([PROJECT, undefined]);
    expect(await store.transact((tx) => tx.get(reporters, GLOBAL, number))).toMatchObject(holder);
  });

  it.each([
    ["https://tools.example/plane/", "https://k@tools.example/plane/5"],
    ["https://tools.example/a/b//", "https://k@tools.example/a/b/5"],
    ["http://localhost:4242/", "http://k@localhost:4242/5"],
  ])("make a DSN below the base URL %s", (baseUrl, dsn) =>
    expect(dsnOf({ number: "5", key: "k" }, baseUrl)).toBe(dsn),
  );
});
