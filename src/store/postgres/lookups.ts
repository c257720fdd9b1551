import type { Space } from "../store.ts";
import type { Statement } from "./connection/connections.ts";
import { type CounterRow, type DocumentRow, findCounters, findDocuments } from "./statements/read.ts";
import { keyOf } from "./writes.ts";

export interface Row {
  /** The JSON text; undefined for a deletion. */
  text: string | undefined;
  /** Milliseconds since the epoch; `Infinity` where it does not expire. */
  expiresAt: number;
}

/** Reads by key. Lookups made together are sent as one statement for each table. */
export interface Lookups {
  document(collection: string, space: Space, id: string): Promise<Row | undefined>;
  total(counter: string, space: Space, id: string): Promise<number>;
  /** Number of batches of documents looked up so far. Lookups made while it stays the same are in one batch. */
  rounds(): number;
}

interface Key {
  table: string;
  space: Space;
  id: string;
}

type Send = <R extends DocumentRow | CounterRow>(statement: Statement) => Promise<R[]>;

/** @param schedule decides when lookups are sent; by default in a microtask */
export function createLookups(send: Send, schedule: (work: () => void) => void = queueMicrotask): Lookups {
  let rounds = 0;

  const document = batched<Row>(schedule, async (keys) => {
    rounds++;
    const found = new Map<string, Row>();
    await Promise.all(
      Array.from(new Set(keys.map(({ table }) => table)), async (collection) => {
        const own = keys.filter(({ table }) => table === collection);
        for (const { space, id, value, expires_at } of await send<DocumentRow>(
          findDocuments(collection, own),
        )) {
          if (value !== null) found.set(keyOf(collection, space, id), { text: value, expiresAt: expires_at });
        }
      }),
    );
    return found;
  });

  const total = batched<number>(schedule, async (keys) => {
    const counters = keys.map(({ table, space, id }) => ({ counter: table, space, id }));
    const rows = await send<CounterRow>(findCounters(counters));
    return new Map(rows.map((row) => [keyOf(row.counter, row.space, row.id), Number(row.total)]));
  });

  return {
    document: (table, space, id) => document({ table, space, id }),
    total: async (table, space, id) => (await total({ table, space, id })) ?? 0,
    rounds: () => rounds,
  };
}

function batched<V>(
  schedule: (work: () => void) => void,
  load: (keys: Key[]) => Promise<Map<string, V>>,
): (key: Key) => Promise<V | undefined> {
  let asked = new Map<string, Key>();
  let answer: Promise<Map<string, V>> | undefined;
  return async (key) => {
    const name = keyOf(key.table, key.space, key.id);
    asked.set(name, key);
    answer ??= new Promise((resolve) => {
      schedule(() => {
        const keys = [...asked.values()];
        asked = new Map();
        answer = undefined;
        resolve(load(keys));
      });
    });
    return (await answer).get(name);
  };
}
