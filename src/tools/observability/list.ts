import type { Space, Store } from "../../store/store.ts";
import type { ErrorGroup } from "./contract.ts";
import { errorGroups, errorGroupsByTime, fingerprintIn, groupOf, timeId } from "./documents.ts";

interface Query {
  /** Milliseconds since the epoch. */
  since?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** The groups of some spaces, the one seen last first; the cursor is the `timeId` of the last one before. */
export async function listErrors(
  store: Store,
  spaces: readonly Space[],
  { since = 0, limit, cursor }: Query,
): Promise<{ items: ErrorGroup[]; nextCursor?: string }> {
  const options = {
    order: "descending",
    limit: limit + 1,
    ...(cursor !== undefined && { after: cursor }),
  } as const;
  return store.transact(async (tx) => {
    const lists = await Promise.all(
      spaces.map(async (space) =>
        (await tx.list(errorGroupsByTime, space, options)).map(({ id }) => ({ id, space })),
      ),
    );
    const from = timeId(since);
    const found = lists
      .flat()
      .filter(({ id }) => id >= from)
      .sort((left, right) => (left.id < right.id ? 1 : -1));
    const page = found.slice(0, limit);
    const groups = await Promise.all(
      page.map(({ id, space }) => tx.get(errorGroups, space, fingerprintIn(id))),
    );
    const items = page.flatMap(({ id }, index) => {
      const group = groups[index];
      return group ? [groupOf(fingerprintIn(id), group)] : [];
    });
    const last = page.at(-1);
    return { items, ...(found.length > limit && last && { nextCursor: last.id }) };
  });
}
