import { expect, it } from "vitest";
import { GLOBAL } from "../../../../src/store/store.ts";
import {
  errorGroups,
  errorGroupsByTime,
  observabilityCollections,
  timeId,
} from "../../../../src/tools/observability/documents.ts";
import { listErrors } from "../../../../src/tools/observability/list.ts";
import { record } from "../../../../src/tools/observability/record.ts";
import { fakeClock } from "../../../support/clock.ts";
import { openTestStore } from "../../../support/store.ts";
import { startReporting, thrown } from "../reporting.ts";

const ROOT = "/api/v1/tools/observability/errors";
const HOUR = 60 * 60 * 1000;

async function start() {
  const clock = fakeClock();
  const app = await startReporting({ clock });
  const place = await app.placeOf();
  return {
    ...app,
    clock,
    seen: (message: string, more: object = {}) => app.report(place, { ...thrown("Error", message), ...more }),
    show: async (fingerprint: string) => (await app.request("GET", `${ROOT}/${fingerprint}`)).body.error,
  };
}

it("an error shows its counts, releases, environments, number of users and last ten occurrences", async () => {
  const { clock, seen, errors, show } = await start();
  const first = clock.now();
  for (let time = 0; time < 12; time++) {
    await seen("broken", {
      release: `shop@1.${Math.floor(time / 4)}`,
      environment: time % 2 === 0 ? "production" : "staging",
      user: { id: time % 3, email: "ann@example.com" },
      tags: time % 2 === 0 ? { browser: "Firefox", retried: true } : [["browser", "Chrome"]],
      contexts: { trace: { trace_id: `${time}`.padStart(32, "a") } },
    });
    clock.advance(HOUR);
  }
  const [listed] = await errors();
  expect(listed).toMatchObject({
    usersAffected: 3,
    environments: ["production", "staging"],
    releases: [
      { name: "shop@1.0", count: 4, firstSeenAt: new Date(first).toISOString() },
      { name: "shop@1.1", count: 4 },
      { name: "shop@1.2", count: 4 },
    ],
  });
  expect(listed.daily.counts).toHaveLength(14);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  expect(sum(listed.daily.counts)).toBe(12);
  const shown = await show(listed.fingerprint);
  expect(shown.hourly.counts.slice(-13)).toEqual([...Array(12).fill(1), 0]);
  expect([shown.hourly.counts.length, shown.daily.counts.length]).toEqual([336, 90]);
  expect(shown.occurrences).toHaveLength(10);
  expect(shown.occurrences[0]).toMatchObject({
    at: new Date(first + 11 * HOUR).toISOString(),
    release: "shop@1.2",
    environment: "staging",
    tags: { browser: "Chrome" },
    traceId: "11".padStart(32, "a"),
  });
  expect(shown.occurrences[1].tags).toEqual({ browser: "Firefox", retried: "true" });
  expect(JSON.stringify(shown)).not.toContain("ann@");
});

it("an error keeps its first release and its last nine", async () => {
  const { clock, seen, errors } = await start();
  for (let release = 0; release < 15; release++) {
    clock.advance(1000);
    await seen("broken", { release: `r${release}` });
  }
  const [{ releases }] = await errors();
  expect(releases.map(({ name }: { name: string }) => name)).toEqual([
    "r0",
    ...[6, 7, 8, 9, 10, 11, 12, 13, 14].map((release) => `r${release}`),
  ]);
});

it("tags, releases and environments are masked, or dropped if they are not plain text lines", async () => {
  const { seen, errors, show } = await start();
  await seen("broken", {
    release: "1.0\u0007",
    environment: "mail ann@example.com",
    tags: { password: "hunter2", token: `ghp_${"a1B2".repeat(9)}`, "": "x", nested: { a: 1 } },
  });
  const [listed] = await errors();
  expect(listed).not.toHaveProperty("releases");
  expect(listed.environments).toEqual(["mail [masked e-mail]"]);
  const [{ tags }] = (await show(listed.fingerprint)).occurrences;
  expect(Object.values(tags)).toEqual(["[masked]", "[masked]"]);
});

it("GET errors filters by words, release and environment, sorts by count and age, and pages", async () => {
  const { clock, seen, request, errors } = await start();
  const names = ["alpha", "beta", "gamma", "delta", "epsilon"];
  for (const [index, name] of names.entries()) {
    for (let time = 0; time <= (index * 2) % 5; time++) {
      clock.advance(1000);
      await seen(`${name} Failed`, { release: `r${index % 2}`, environment: index < 2 ? "eu" : "us" });
    }
  }
  const words = (items: { message: string }[]) => items.map(({ message }) => message.split(" ")[0]);
  expect(words(await errors("query=failed%20ALPHA"))).toEqual(["alpha"]);
  expect(words(await errors("query=alpha%20beta"))).toEqual([]);
  expect(words(await errors("release=r1"))).toEqual(["delta", "beta"]);
  expect(words(await errors("environment=eu"))).toEqual(["beta", "alpha"]);
  expect(words(await errors("sort=firstSeen"))).toEqual([...names].reverse());
  const pages: string[][] = [];
  for (let cursor = ""; ; ) {
    const { body } = await request("GET", `${ROOT}?sort=count&limit=2${cursor}`);
    pages.push(
      body.items.map(
        ({ count, message }: { count: number; message: string }) => `${message.split(" ")[0]} ${count}`,
      ),
    );
    if (body.nextCursor === undefined) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(pages.flat().sort()).toEqual(["alpha 1", "beta 3", "delta 2", "epsilon 4", "gamma 5"]);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages[0]).toEqual(["gamma 5", "epsilon 4"]);
  for (const query of ["state=closed", "sort=oldest", "query=", "release=%00"]) {
    expect((await request("GET", `${ROOT}?${query}`)).status, query).toBe(400);
  }
});

it("errors stored by the previous version are listed and counted further", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: observabilityCollections });
  const at = clock.now() - HOUR;
  const before = {
    source: "client",
    type: "Error",
    message: "old",
    stack: "Error: old\n    at main (a.js)",
  } as const;
  await store.transact(async (tx) => {
    await tx.put(errorGroups, GLOBAL, "e", { ...before, count: 3, firstSeenAt: at, lastSeenAt: at });
    await tx.put(errorGroupsByTime, GLOBAL, timeId(at, "e"), { source: "client" });
  });
  const list = async () =>
    (await listErrors(store, [GLOBAL], { limit: 10, state: "open" }, clock.now())).items;
  expect(await list()).toMatchObject([{ count: 3, state: "open", stack: before.stack }]);
  const occurrence = { fingerprint: "e", source: "client", type: "Error", message: "old", count: 1 } as const;
  const early = { ...occurrence, firstAt: at - HOUR, lastAt: at - HOUR };
  await store.transact((tx) => record(tx, GLOBAL, early));
  expect(await list()).toMatchObject([{ count: 4, stack: before.stack }]);
  await store.transact((tx) =>
    record(tx, GLOBAL, { ...occurrence, stack: "new", firstAt: clock.now(), lastAt: clock.now() }),
  );
  expect(await list()).toMatchObject([{ count: 5, stack: "new" }]);
});
