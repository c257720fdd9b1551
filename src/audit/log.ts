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
const MOST_LOOKED_AT = 1_000;
/** Read at a time: the first page is often all that is wanted. */
const PART = 200;

/** Ids before which a walk begins, and at which it ends. */
interface Range {
  before: string;
  from: string;
}

export function createAuditLog({ store }: { store: Pick<Store, "transact"> }): AuditLog {
  return {
    page: (whose, filter, { limit, cursor }) =>
      store.transact(async (tx) => {
        const range = rangeOf(filter, cursor);
        const matches = matcher(filter);
        const items: AuditEntry[] = [];
        let looked = 0;
        for await (const { id, entry } of walk(tx, whose, filter, range)) {
          if (entry && matches(entry)) items.push(entry);
          if (items.length > limit)
            return { items: items.slice(0, limit), nextCursor: idOf(items[limit - 1]) };
          if (++looked === MOST_LOOKED_AT) return { items, nextCursor: id };
        }
        return { items };
      }),
  };
}

/** An id that was looked at, with its entry unless that has expired meanwhile. */
interface Seen {
  id: string;
  entry?: AuditEntry | undefined;
}

function walk(
  tx: Transaction,
  whose: Whose,
  { action, actor, target, outcome }: AuditFilter,
  range: Range,
): AsyncIterable<Seen> {
  if (whose === "all") return everywhere(tx, range);
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
  return prefix === undefined ? inOrder(tx, space, range) : indexed(tx, space, prefix, range);
}

async function* inOrder(tx: Transaction, space: string, { before, from }: Range): AsyncGenerator<Seen> {
  for (let after = before; ; ) {
    const part = await tx.list(auditEntries, space, { after, limit: PART, order: "descending" });
    for (const { id, value } of part) {
      if (id < from) return;
      yield { id, entry: value };
      after = id;
    }
    if (part.length < PART) return;
  }
}

/** What stands in the index under a prefix. What else is asked is looked up in the entries. */
async function* indexed(
  tx: Transaction,
  space: string,
  prefix: string,
  { before, from }: Range,
): AsyncGenerator<Seen> {
  for (let after = prefix + before; ; ) {
    const part = await tx.ids(auditIndex, space, { prefix, after, limit: PART, order: "descending" });
    for (const indexId of part) {
      const id = indexId.slice(prefix.length);
      if (id < from) return;
      yield { id, entry: await tx.get(auditEntries, space, id) };
      after = indexId;
    }
    if (part.length < PART) return;
  }
}

async function* everywhere(tx: Transaction, { before, from }: Range): AsyncGenerator<Seen> {
  for (let after = before; ; ) {
    const part = await tx.list(auditOrder, AUDIT, { after, limit: PART, order: "descending" });
    for (const { id, value } of part) {
      if (id < from) return;
      yield { id, entry: await tx.get(auditEntries, auditSpace(value.accountId), id) };
      after = id;
    }
    if (part.length < PART) return;
  }
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

function idOf(entry: AuditEntry | undefined): string {
  return entry?.id ?? "";
}
