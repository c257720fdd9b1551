import type { Clock } from "../../../system/clock.ts";
import type { Store, StoreItem } from "../../store.ts";
import { windowEntries } from "../limiter.ts";
import type { Table } from "../table.ts";
import type { Tables } from "../tables.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Yields all durable items. See `OpenedStore.dump`. */
export async function* dump(tables: Tables, commit: GroupCommit, clock: Clock): AsyncGenerator<StoreItem> {
  await commit.settled();
  const now = clock.now();
  for (const table of tables.all()) {
    if (table.name !== windowEntries.name) yield* itemsOf(table, now);
  }
}

function* itemsOf({ kind, name, space, rows }: Table, now: number): Generator<StoreItem> {
  const written = [...rows].sort(([, left], [, right]) => left.version - right.version);
  for (const [id, { content, expiresAt }] of written) {
    if (expiresAt <= now) continue;
    if (kind === "count") yield { counter: name, space, id, count: content as number };
    else {
      const expiry = expiresAt === Number.POSITIVE_INFINITY ? {} : { expiresAt };
      yield { collection: name, space, id, value: JSON.parse(content as string), ...expiry };
    }
  }
}

const BATCH = 500;

/** Writes dumped items in transactions large enough that the disk's latency does not dominate. */
export async function loadItems(
  tables: Tables,
  transact: Store["transact"],
  items: AsyncIterable<StoreItem>,
): Promise<void> {
  let batch: StoreItem[] = [];
  const write = async () => {
    for (const item of batch) {
      if ("counter" in item) {
        tables.write(tables.obtain("count", item.counter, item.space), item.id, item.count);
      } else {
        const table = tables.obtain("put", item.collection, item.space);
        tables.write(table, item.id, JSON.stringify(item.value), item.expiresAt);
      }
    }
  };
  for await (const item of items) {
    if (batch.push(item) < BATCH) continue;
    await transact(write);
    batch = [];
  }
  await transact(write);
}
