import type { Change, Changes, CountsRange, Entry, ListOptions, Space } from "../../store.ts";
import { createLookups, type Lookups } from "../lookups.ts";
import {
  type ChangeRow,
  type CounterRow,
  type DocumentRow,
  type FeedPlace,
  listCounters,
  listDocuments,
  listWritten,
} from "../statements/read.ts";
import type { Statement } from "./connections.ts";

export interface ChangesAsked {
  since: string | undefined;
  maxBytes?: number | undefined;
}

/** What a transaction reads from. `now` decides what has expired. */
export interface Source extends Lookups {
  list<T>(collection: string, space: Space, options: ListOptions, now: number): Promise<Entry<T>[]>;
  ids(collection: string, space: Space, options: ListOptions, now: number): Promise<string[]>;
  counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]>;
  changes(collection: string, space: Space, asked: ChangesAsked, now: number): Promise<Changes | "reset">;
}

export function createSource(send: <R extends object>(statement: Statement) => Promise<R[]>): Source {
  return {
    ...createLookups(send),

    async list(collection, space, options, now) {
      const rows = await send<DocumentRow>(listDocuments(collection, space, options, now));
      return rows.map(({ id, value }) => ({ id, value: JSON.parse(value as string) }));
    },

    async ids(collection, space, options, now) {
      const rows = await send<{ id: string }>(listDocuments(collection, space, options, now, "id"));
      return rows.map(({ id }) => id);
    },

    async counts(counter, space, range) {
      const rows = await send<CounterRow>(listCounters(counter, space, range));
      return rows.map(({ id, total }) => ({ id, count: Number(total) }));
    },

    async changes(collection, space, { since, maxBytes = Number.POSITIVE_INFINITY }, now) {
      const place = since === undefined ? { version: 0, id: "" } : placeOf(since);
      if (!place) return "reset";
      const rows = await send<ChangeRow>(listWritten(collection, space, place, maxBytes));
      const { feed_version, horizon } = rows[0] as ChangeRow;
      const newest = Number(feed_version);
      // A reader that started from scratch after a deletion need not learn of it.
      const begun = place.begun ?? newest;
      const later = Math.max(place.version, begun);
      if (Number(horizon) > later || later > newest) return "reset";
      const entries: Change[] = [];
      for (const { id, value, expires_at } of rows) {
        if (id === null) continue;
        if (value !== null && expires_at > now) entries.push({ id, text: value });
        else if (since !== undefined) entries.push({ id });
      }
      const last = rows.at(-1) as ChangeRow;
      const more = maxBytes < Number.POSITIVE_INFINITY && last.id !== null && Number(last.version) < newest;
      if (!more) return { version: `${newest}.${newest}`, entries, more };
      const unversioned = Number(last.version) === 0 ? `.${last.id}` : "";
      return { version: `${last.version}.${begun}${unversioned}`, entries, more };
    },
  };
}

/**
 * @param since a version, the version at which the reading began that this is a part of, and the last id read among
 *   documents without a version.
 */
function placeOf(since: string): (FeedPlace & { begun?: number }) | undefined {
  const [, version, begun, id] = /^(\d{1,15})\.(\d{1,15})(?:\.(.*))?$/s.exec(since) ?? [];
  return version === undefined ? undefined : { version: Number(version), begun: Number(begun), id };
}
