import { type Clock, repeat } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Log } from "../../system/log.ts";
import { othersFirst } from "../../system/others-first.ts";
import { type Store, StoreUnavailable } from "../store.ts";
import type { Table } from "./table.ts";
import type { Tables } from "./tables.ts";

const EVERY_MS = MINUTE_MS;
/** Number of rows after which the sweep yields to other work. */
const SLICE = 2000;

/**
 * Starts deleting expired documents, which count as absent at once, but use memory and disk until they are deleted, and
 * giving back the memory of tables that were emptied.
 */
export function startSweeper(
  tables: Tables,
  transact: Store["transact"],
  { clock, log }: { clock: Clock; log: Log },
): { stop(): void } {
  async function sweep(): Promise<void> {
    try {
      for (const table of tables.all()) {
        // Before what expires is deleted, so that followers have a minute to learn of it.
        tables.tidy(table);
        if (table.expires) await sweepTable(table);
      }
    } catch (err) {
      if (!(err instanceof StoreUnavailable)) log.error({ err }, "expired documents were not deleted");
    }
  }

  async function sweepTable(table: Table): Promise<void> {
    const now = clock.now();
    let ids: string[] = [];
    let looked = 0;
    for (const [id, { expiresAt }] of table.rows) {
      if (expiresAt <= now) ids.push(id);
      if (++looked % SLICE > 0) continue;
      await remove(table, ids);
      ids = [];
    }
    await remove(table, ids);
  }

  async function remove(table: Table, ids: readonly string[]): Promise<void> {
    await othersFirst();
    if (ids.length === 0) return;
    await transact(async () => {
      const now = clock.now();
      for (const id of ids) {
        const row = table.rows.get(id);
        if (row && row.expiresAt <= now) tables.write(table, id, undefined);
      }
    });
  }

  return { stop: repeat(clock, EVERY_MS, sweep) };
}
