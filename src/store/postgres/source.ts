import type { Changes, Entry, ListOptions, Space } from "../store.ts";
import type { Statement } from "./connections.ts";
import { createLookups, type Lookups } from "./lookups.ts";
import {
  type ChangeRow,
  type CounterRow,
  type DocumentRow,
  listCounters,
  listDocuments,
  listWritten,
} from "./read-statements.ts";

export interface Range {
  from: string;
  to: string;
}

/** Where a transaction reads. `now` is what expiry goes by. */
export interface Source extends Lookups {
  list<T>(collection: string, space: Space, options: ListOptions, now: number): Promise<Entry<T>[]>;
  counts(counter: string, space: Space, range: Range): Promise<{ id: string; count: number }[]>;
  changes<T>(
    collection: string,
    space: Space,
    since: string | undefined,
    now: number,
  ): Promise<Changes<T> | "reset">;
}

/** @param schedule when look-ups are sent: at the end of the present step unless said */
export function createSource(
  send: <R extends object>(statement: Statement) => Promise<R[]>,
  schedule?: (work: () => void) => void,
): Source {
  return {
    ...createLookups(send, schedule),

    async list(collection, space, options, now) {
      const rows = await send<DocumentRow>(listDocuments(collection, space, options, now));
      return rows.map(({ id, value }) => ({ id, value: JSON.parse(value as string) }));
    },

    async counts(counter, space, range) {
      const rows = await send<CounterRow>(listCounters(counter, space, range));
      return rows.map(({ id, total }) => ({ id, count: Number(total) }));
    },

    async changes<T>(collection: string, space: Space, since: string | undefined, now: number) {
      const from = since === undefined ? undefined : /^\d{1,15}$/.test(since) ? Number(since) : -1;
      const rows = await send<ChangeRow>(listWritten(collection, space, from));
      const { version, horizon } = rows[0] as ChangeRow;
      if (from !== undefined && (from < Number(horizon) || from > Number(version))) return "reset";
      const entries: Changes<T>["entries"] = [];
      for (const { id, value, expires_at } of rows) {
        if (id === null) continue;
        if (value !== null && expires_at > now) entries.push({ id, value: JSON.parse(value) });
        else if (from !== undefined) entries.push({ id });
      }
      return { version, entries };
    },
  };
}
