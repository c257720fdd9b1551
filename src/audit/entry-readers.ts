import type { Transaction } from "../store/store.ts";
import type { AuditFilter, Whose } from "./filter.ts";
import {
  AUDIT,
  type AuditEntry,
  auditEntries,
  auditIndex,
  auditOrder,
  auditSpace,
  type Facet,
  facetPrefix,
} from "./model.ts";

/** An examined id with its entry, which is absent if it has expired meanwhile. */
interface Seen {
  id: string;
  entry?: AuditEntry | undefined;
}

/** Reads up to `most` entries before an id, newest first. Returns fewer only if the rest lie before `from`. */
type Reader = (before: string, from: string, most: number) => Promise<Seen[]>;

export function readerOf(
  tx: Transaction,
  whose: Whose,
  { action, actor, target, outcome }: AuditFilter,
): Reader {
  if (whose === "all") return everywhere(tx);
  const space = auditSpace(whose.accountId);
  // The most selective facet comes first, since only its index is scanned.
  const given: [Facet, string | undefined][] = [
    ["target", target],
    ["actor", actor],
    ["outcome", outcome === "refused" ? outcome : undefined],
    ["action", action],
  ];
  const [prefix] = given.flatMap(([facet, value]) =>
    value === undefined ? [] : [facetPrefix(facet, value)],
  );
  return prefix === undefined ? inOrder(tx, space) : indexed(tx, space, prefix);
}

function inOrder(tx: Transaction, space: string): Reader {
  return async (after, from, limit) => {
    const part = await tx.list(auditEntries, space, { after, limit, order: "descending" });
    return part.map(({ id, value }) => ({ id, entry: value })).filter(({ id }) => id >= from);
  };
}

/** Reads the index under a prefix. The other conditions are checked on the entries. */
function indexed(tx: Transaction, space: string, prefix: string): Reader {
  return async (before, from, limit) => {
    const after = prefix + before;
    const part = await tx.ids(auditIndex, space, { prefix, after, limit, order: "descending" });
    return lookedUp(
      tx,
      part.map((indexId) => ({ id: indexId.slice(prefix.length), space })).filter(({ id }) => id >= from),
    );
  };
}

function everywhere(tx: Transaction): Reader {
  return async (after, from, limit) => {
    const part = await tx.list(auditOrder, AUDIT, { after, limit, order: "descending" });
    return lookedUp(
      tx,
      part
        .map(({ id, value }) => ({ id, space: auditSpace(value.accountId) }))
        .filter(({ id }) => id >= from),
    );
  };
}

/** Gets the entries concurrently, which a networked store sends as one query. */
function lookedUp(tx: Transaction, places: readonly { id: string; space: string }[]): Promise<Seen[]> {
  return Promise.all(
    places.map(async ({ id, space }) => ({ id, entry: await tx.get(auditEntries, space, id) })),
  );
}
