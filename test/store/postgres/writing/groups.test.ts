import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentsLock } from "../../../../src/store/postgres/advisory-locks.ts";
import type { ConnectionPool, Statement } from "../../../../src/store/postgres/connection/connections.ts";
import { Patience } from "../../../../src/store/postgres/connection/patience.ts";
import { Footprint } from "../../../../src/store/postgres/footprint.ts";
import { createGroups, type Outcome } from "../../../../src/store/postgres/groups.ts";
import { counterKey, Writes } from "../../../../src/store/postgres/writes.ts";
import { fakeClock } from "../../../support/clock.ts";
import { gate } from "../../json-file/faulty-files.ts";

/** Creates groups on an empty fake database, whose commits end when the test tells them to. */
function open() {
  const clock = fakeClock();
  const state = {
    transactions: 0,
    /** Name and values of each statement sent to the database. */
    asked: [] as unknown[][],
    /** Ids in each commit, in order. */
    commits: [] as string[][],
    /** Outcomes of members, in the order in which they were reported. */
    told: [] as string[],
    commit: async () => {},
    away: undefined as Error | undefined,
  };
  const client = {
    query: async ({ name, values }: Statement) => {
      state.asked.push([name, ...(values ?? [])]);
      return { rows: [], command: "" };
    },
    release() {},
  };
  const pool = {
    perTransaction: undefined,
    sent: (statement: object) => statement,
    async connect() {
      if (state.away) throw state.away;
      state.transactions++;
      return client;
    },
  } as unknown as ConnectionPool;
  const groups = createGroups({
    pool,
    collections: new Map(),
    commit: async (_, writes) => {
      state.commits.push(Array.from(writes.documents.values(), ({ id }) => id));
      await state.commit();
    },
    patience: new Patience(clock),
  });

  /** Adds a member that writes under its name in some spaces, or whose work fails. */
  function join(
    name: string,
    {
      spaces = [name],
      alone = false,
      size = 1,
      run = async () => {},
    }: { spaces?: string[]; alone?: boolean; size?: number; run?: () => Promise<void> } = {},
  ): void {
    const footprint = new Footprint();
    for (const space of spaces) footprint.overwrite("notes", space, name);
    for (let more = spaces.length; more < size; more++)
      footprint.overwrite("notes", spaces[0] ?? "", `${more}`);
    if (alone) footprint.range(documentsLock("notes", spaces[0] ?? ""));
    groups.join({
      footprint,
      async run(): Promise<Outcome> {
        try {
          await run();
        } catch (error) {
          return { error };
        }
        const writes = new Writes();
        writes.write({ collection: "notes", space: spaces[0] ?? "", id: name, text: "1", expiresAt: 9 });
        return { writes };
      },
      succeed: () => state.told.push(name),
      fail: (error) => state.told.push(`${name}: ${(error as Error).message}`),
    });
  }
  return { state, join, clock, groups };
}

async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

describe("transactions that write", () => {
  it("share a database transaction if concurrent, and succeed once that is durable", async () => {
    const { state, join } = open();
    const { closed, open: durable } = gate();
    state.commit = () => closed;
    for (const name of ["a", "b", "c"]) join(name, { spaces: ["same"] });
    await turns();
    expect(state).toMatchObject({ transactions: 1, commits: [["a", "b", "c"]], told: [] });
    durable();
    await turns();
    expect(state.told).toEqual(["a", "b", "c"]);
  });

  it("have their known reads fetched at once before the first of them runs", async () => {
    const { state, groups } = open();
    const asked: unknown[][] = [];
    for (const id of ["a", "b"]) {
      const footprint = new Footprint();
      footprint.read("notes", "s", id);
      footprint.read("notes", "s", "both");
      footprint.count(counterKey("visits", "s", id));
      footprint.count(counterKey("visits", "s", "both"));
      groups.join({
        footprint,
        async run(group) {
          asked.push(...state.asked.splice(0).filter(([name]) => String(name).startsWith("find")));
          expect(await group.document("notes", "s", id)).toBeUndefined();
          expect(group.knownTotal(counterKey("visits", "s", "both"))).toBe(0);
          return { writes: new Writes() };
        },
        succeed: () => state.told.push(id),
        fail: (error) => state.told.push(String(error)),
      });
    }
    await turns();
    expect(state.told).toEqual(["a", "b"]);
    const ids = ["a", "both", "b"];
    expect(asked).toEqual([
      ["find notes", ids.map(() => "s"), ids],
      ["find counters", ids.map(() => "visits"), ids.map(() => "s"), ids],
    ]);
  });

  it("share the next database transaction while one is being committed", async () => {
    const { state, join } = open();
    const { closed, open: durable } = gate();
    state.commit = () => closed;
    join("a");
    await turns();
    for (const name of ["b", "c"]) join(name);
    await turns();
    expect(state.commits).toEqual([["a"]]);
    durable();
    await turns();
    expect(state.commits).toEqual([["a"], ["b", "c"]]);
    expect(state.told).toEqual(["a", "b", "c"]);
  });

  it("fail alone if their work fails, and commit nothing if all fail", async () => {
    const { state, join } = open();
    const failing = async () => {
      throw new Error("its own");
    };
    join("a", { run: failing });
    join("b");
    await turns();
    expect(state).toMatchObject({ commits: [["b"]], told: ["a: its own", "b"] });
    join("c", { run: failing });
    await turns();
    expect(state).toMatchObject({ commits: [["b"]], transactions: 2 });
    expect(state.told.at(-1)).toBe("c: its own");
  });

  it("fail together if the commit or the connection fails, without affecting later ones", async () => {
    const { state, join } = open();
    state.commit = () => Promise.reject(new Error("gone"));
    for (const name of ["a", "b"]) join(name);
    await turns();
    state.commit = async () => {};
    state.away = new Error("none");
    join("c", { spaces: ["a"] });
    await turns();
    state.away = undefined;
    join("d", { spaces: ["a"] });
    await turns();
    const none = "c: the database does not answer: none";
    expect(state.told).toEqual(["a: gone", "b: gone", none, "d"]);
  });

  it("get their own database transaction if they read ranges, at most three at once", async () => {
    const { state, join } = open();
    const { closed, open: durable } = gate();
    state.commit = () => closed;
    for (const name of ["a", "b", "c", "d"]) join(name, { alone: true });
    for (const name of ["e", "f"]) join(name);
    await turns();
    expect(state.commits.map((ids) => ids.join()).sort()).toEqual(["a", "b", "c", "e,f"]);
    durable();
    await turns();
    expect(state.commits.at(-1)).toEqual(["d"]);
    expect(state.told).toHaveLength(6);
  });

  it("share a database transaction up to a total footprint of 2,500 entries", async () => {
    const { state, join } = open();
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    for (const name of names) join(name, { size: 250 });
    await turns(20);
    expect(state.commits).toEqual([names.slice(0, 10), names.slice(10)]);
  });

  it("share a database transaction up to 400 turns, each of which is a lock that the database has room for", async () => {
    const { state, join } = open();
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    for (const name of names) join(name, { spaces: [name, `${name}/web`] });
    await turns(20);
    expect(state.commits).toEqual([names.slice(0, 200), names.slice(200)]);
    join("wide", { spaces: names.flatMap((name) => [name, `${name}/web`]) });
    await turns(20);
    expect(state.commits.at(-1)).toEqual(["wide"]);
  });

  it("fail after 5 s without a turn, and are not run", async () => {
    const { state, join, clock } = open();
    const { closed, open: durable } = gate();
    state.commit = () => closed;
    join("a");
    await turns();
    let ran = false;
    const run = async () => {
      ran = true;
    };
    join("b", { spaces: ["a"], run });
    await turns();
    for (let ticks = 0; ticks < 10; ticks++) clock.advance(500);
    expect(state.told).toEqual(["b: the database gave no turn to write within 5 s: nothing was written"]);
    durable();
    await turns();
    expect(state.told.slice(1)).toEqual(["a"]);
    expect(ran).toBe(false);
  });

  it("run one at a time and in order in each space that they share", async () => {
    const member = fc.record({
      spaces: fc.subarray(["x", "y", "z"], { minLength: 1 }),
      alone: fc.boolean(),
      pause: fc.nat(3),
      works: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 12 }), async (members) => {
        const { state, join } = open();
        const running = new Map<string, string>();
        const order: string[] = [];
        for (const [index, { spaces, alone, pause, works }] of members.entries()) {
          const name = `m${index}`;
          const run = async () => {
            for (const space of spaces) {
              expect([space, running.get(space)]).toEqual([space, undefined]);
              running.set(space, name);
            }
            order.push(name);
            await turns(works);
            for (const space of spaces) running.delete(space);
          };
          join(name, { spaces, alone, run });
          await turns(pause);
        }
        await turns(60);
        expect([...state.told].sort()).toEqual(members.map((_, index) => `m${index}`).sort());
        for (const space of ["x", "y", "z"]) {
          const there = members.flatMap(({ spaces }, index) => (spaces.includes(space) ? [`m${index}`] : []));
          expect(order.filter((name) => there.includes(name))).toEqual(there);
        }
      }),
      { numRuns: 60 },
    );
  });
});
