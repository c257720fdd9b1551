interface Page<T> {
  items: T[];
  nextCursor?: string | undefined;
}

/** The most that the API gives at once. */
const PAGE = 200;

/** Follows a list's cursors until there are `limit` items or no more. */
export async function collect<T>(
  limit: number,
  fetchPage: (page: { limit: number; cursor?: string }) => Promise<Page<T>>,
): Promise<{ items: T[]; nextCursor?: string }> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const wanted = Math.min(PAGE, limit - items.length);
    const page = await fetchPage({ limit: wanted, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < limit);
  return { items, ...(cursor === undefined ? {} : { nextCursor: cursor }) };
}
