import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { collection, type OpenedStore } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { withClient } from "../../support/services/postgres.ts";
import { type Databases, numbers, openInstances } from "./databases.ts";

const codes = collection<string>("codes");
const notes = collection<string>("notes", { changes: true });
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export function sweeperSuite({ borrow }: Databases): void {
  it("deletes expired documents, adds them to the feed, and forgets deletions after a week", async () => {
    const url = await borrow();
    const clock = fakeClock();
    const stores = await openInstances(url, 2, [codes, notes], { clock });
    const [store] = stores as [OpenedStore];
    const expiresAt = clock.now() + MINUTE;
    await store.transact(async (tx) => {
      for (const n of numbers(1500)) await tx.put(codes, "acc", `code${n}`, "x", { expiresAt });
      await tx.put(codes, "acc", "stays", "x");
      await tx.put(notes, "acc", "brief", "x", { expiresAt });
      await tx.put(notes, "acc", "stays", "x");
    });
    await store.admit([{ key: "k", kind: "fixed", capacity: 5, windowMs: 1000 }]);
    const rows = (table: string) =>
      withClient(url, async (client) => {
        const { rows } = await client.query(`SELECT count(*)::int AS n FROM toolplane.${table}`);
        return rows[0].n as number;
      });
    /** Lets minutes pass until then: a minute that ends during a sweep starts none. */
    const swept = async (isDone: () => Promise<boolean>) => {
      do {
        clock.advance(MINUTE);
        await setTimeout(100);
      } while (!(await isDone()));
    };
    const changes = (since?: string) => store.transact((tx) => tx.changes(notes, "acc", since));
    const first = await changes();
    if (first === "reset") throw new Error("nothing asked for a reset");
    expect(first.entries.map(({ id }) => id)).toEqual(["brief", "stays"]);

    await swept(async () => (await rows("codes")) === 1 && (await rows("_windows")) === 0);
    await swept(async () => {
      const found = await changes(first.version);
      return found !== "reset" && found.entries.some(({ id, text }) => id === "brief" && text === undefined);
    });
    expect(await rows("notes")).toBe(2);
    // Use of the remaining documents. Remembered deletions take no storage.
    await swept(async () => (await rows("_storage_deltas")) === 0);
    expect(await store.storageOf("acc")).toEqual({ bytes: 2 * ("stays".length + 3), documents: 2 });

    clock.advance(7 * DAY);
    await swept(async () => (await rows("notes")) === 1);
    expect(await changes(first.version)).toBe("reset");
    const fresh = await changes();
    expect(fresh).toMatchObject({ entries: [{ id: "stays", text: '"x"' }] });
    expect(await changes(fresh === "reset" ? "" : fresh.version)).toMatchObject({ entries: [] });
  });
}
