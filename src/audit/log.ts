import type { Store, Transaction } from "../store/store.ts";
import { firstIdAt } from "../system/random.ts";
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

/** Whose log is read: an account's, the instance's own (no account), or everything. */
export type Whose = { accountId: string | undefined } | "all";

export interface AuditFilter {
  action?: string | undefined;
  /** The user who did it, by id. */
  actor?: string | undefined;
  /** What it was done to, by id. */
  target?: string | undefined;
  outcome?: AuditEntry["outcome"] | undefined;
  /** From then on, and before; milliseconds since the epoch. */
  since?: number | undefined;
  until?: number | undefined;
  /** Part of a name, an id, an address or an action, whatever its case. */
  query?: string | undefined;
}

export interface AuditPage {
  /** Newest first. */
  items: AuditEntry[];
  nextCursor?: string;
}

export interface AuditLog {
  /** A page may be short although more follow: it looks through so many entries and goes on at its cursor. */
  page(
    whose: Whose,
    filter: AuditFilter,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<AuditPage>;
}

/** Looked through for one page, in one transaction. */
export const MOST_LOOKED_AT = 1_000;
/** Read at once, behind the first part, which is often all that is wanted. */
const PART = 500;

/** Ids before which a walk begins, and at which it ends. */
interface Range {
  before: string;
  from: string;
}

export function createAuditLog({ store }: { store: Pick<Store, "transact"> }): AuditLog {
  return {
    page: (whose, filter, { limit, cursor }) =>
      store.transact(async (tx) => {
        const read = readerOf(tx, whose, filter);
        const { before, from } = rangeOf(filter, cursor);
        const matches = matcher(filter);
        const items: AuditEntry[] = [];
        let after = before;
        for (let looked = 0, most = limit + 1; looked < MOST_LOOKED_AT; most = PART) {
          const asked = Math.min(most, MOST_LOOKED_AT - looked);
          const part = await read(after, from, asked);
          items.push(...part.flatMap(({ entry }) => (entry && matches(entry) ? [entry] : [])));
          if (items.length > limit)
            return { items: items.slice(0, limit), nextCursor: idOf(items[limit - 1]) };
          if (part.length < asked) return { items };
          looked += part.length;
          after = idOf(part.at(-1));
        }
        return { items, nextCursor: after };
      }),
  };
}

/** An id that was looked at, with its entry unless that has expired meanwhile. */
interface Seen {
  id: string;
  entry?: AuditEntry | undefined;
}

/** The next so many before an id, newest first; fewer where there are no more that come at `from` or behind it. */
type Reader = (before: string, from: string, most: number) => Promise<Seen[]>;

function readerOf(tx: Transaction, whose: Whose, { action, actor, target, outcome }: AuditFilter): Reader {
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

function rangeOf({ since, until }: AuditFilter, cursor: string | undefined): Range {
  const end = until === undefined ? LAST : firstIdAt("aud", until);
  return {
    before: cursor !== undefined && cursor < end ? cursor : end,
    from: since === undefined ? "" : firstIdAt("aud", since),
  };
}

/** Behind every id of an entry. */
const LAST = "aud_~";

function matcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const part = filter.query?.toLowerCase();
  return (entry) =>
    (filter.action ?? entry.action) === entry.action &&
    (filter.actor ?? entry.actor.userId) === entry.actor.userId &&
    (filter.target ?? entry.target.id) === entry.target.id &&
    (filter.outcome ?? entry.outcome) === entry.outcome &&
    (part === undefined || textOf(entry).includes(part));
}

function textOf({ id, accountId, action, actor, target }: AuditEntry): string {
  const { userId, name, credential, address, requestId } = actor;
  return [id, accountId, action, target.id, target.name, userId, name, credential?.id, address, requestId]
    .join("\n")
    .toLowerCase();
}

function idOf(entry: { id: string } | undefined): string {
  return entry?.id ?? "";
}
