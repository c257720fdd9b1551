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

/** An id that was looked at, with its entry unless the index alone says that it does not match. */
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
  const given: [Facet, string | undefined][] = [
    ["target", target],
    ["actor", actor],
    ["action", action],
    ["outcome", outcome === "refused" ? outcome : undefined],
  ];
  const prefixes = given.flatMap(([facet, value]) =>
    value === undefined ? [] : [facetPrefix(facet, value)],
  );
  return prefixes.length > 0 ? indexed(tx, space, prefixes, range) : inOrder(tx, space, range);
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

/** What stands under all prefixes. The documents of those that are not are not read. */
async function* indexed(
  tx: Transaction,
  space: string,
  prefixes: readonly string[],
  { before, from }: Range,
): AsyncGenerator<Seen> {
  for (let after = before; ; ) {
    const parts: string[][] = [];
    for (const prefix of prefixes) {
      const options = { prefix, after: prefix + after, limit: PART, order: "descending" as const };
      parts.push((await tx.ids(auditIndex, space, options)).map((id) => id.slice(prefix.length)));
    }
    // Behind the end of a full part nothing is known of its index yet.
    const ends = parts.flatMap((part) => (part.length < PART ? [] : [part.at(-1) ?? ""]));
    const known = ends.length === 0 ? "" : ends.reduce((left, right) => (left > right ? left : right));
    const [first = [], ...others] = parts.map((part) => part.filter((id) => id >= known));
    const sets = others.map((part) => new Set(part));
    for (const id of first) {
      if (id < from) return;
      const isUnderAll = sets.every((set) => set.has(id));
      yield { id, entry: isUnderAll ? await tx.get(auditEntries, space, id) : undefined };
    }
    if (known === "" || known < from) return;
    after = known;
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
