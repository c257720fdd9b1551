import { pageOf } from "../contract/endpoint.ts";
import type { Store } from "../store/store.ts";
import { firstIdAt } from "../system/random.ts";
import { readerOf } from "./entry-readers.ts";
import { type AuditFilter, matcher, type Whose } from "./filter.ts";
import { AFTER_ALL, type AuditEntry } from "./model.ts";

export interface AuditPage {
  /** Newest first. */
  items: AuditEntry[];
  nextCursor?: string;
}

export interface AuditLog {
  /** Reads a page. It may be short although more follow, because it examines a bounded number of entries. */
  page(
    whose: Whose,
    filter: AuditFilter,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<AuditPage>;
}

/** The most entries examined for one page, in one transaction. */
export const MAX_LOOKED_AT = 1_000;
/** Entries per read, after the first read, which often suffices. */
const PART = 500;

/** The bounds of a scan, which runs downwards: `before` is exclusive, `from` inclusive. */
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
        for (let looked = 0, most = limit + 1; looked < MAX_LOOKED_AT; most = PART) {
          const asked = Math.min(most, MAX_LOOKED_AT - looked);
          const part = await read(after, from, asked);
          items.push(...part.flatMap(({ entry }) => (entry && matches(entry) ? [entry] : [])));
          if (items.length > limit) return pageOf(items, limit, ({ id }) => id);
          if (part.length < asked) return { items };
          looked += part.length;
          after = part.at(-1)?.id ?? after;
        }
        return { items, nextCursor: after };
      }),
  };
}

function rangeOf({ since, until }: AuditFilter, cursor: string | undefined): Range {
  const end = until === undefined ? AFTER_ALL : firstIdAt("aud", until);
  return {
    before: cursor !== undefined && cursor < end ? cursor : end,
    from: since === undefined ? "" : firstIdAt("aud", since),
  };
}
