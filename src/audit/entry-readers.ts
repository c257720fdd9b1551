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

/** An id that was looked at, with its entry unless that has expired meanwhile. */
interface Seen {
  id: string;
  entry?: AuditEntry | undefined;
}

/** The next so many before an id, newest first; fewer where there are no more that come at `from` or behind it. */
type Reader = (before: string, from: string, most: number) => Promise<Seen[]>;

export function readerOf(
  tx: Transaction,
  whose: Whose,
  { action, actor, target, outcome }: AuditFilter,
): Reader {
  if (whose === "all") return everywhere(tx);
  const space = auditSpace(whose.accountId);
  // What is rare comes first: it alone is walked.
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

/** What stands in the index under a prefix. What else is asked is looked up in the entries. */
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

/** All at once, which is one question to a store over a network. */
function lookedUp(tx: Transaction, places: readonly { id: string; space: string }[]): Promise<Seen[]> {
  return Promise.all(
    places.map(async ({ id, space }) => ({ id, entry: await tx.get(auditEntries, space, id) })),
  );
}
