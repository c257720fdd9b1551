interface Page<T> {
  items: T[];
  nextCursor?: string | undefined;
}

/** The API's largest page. */
const PAGE = 200;

/** Bounds the requests if the server keeps sending empty pages with a cursor. */
const MAX_EMPTY_PAGES = 20;

/** Follows a list's cursors until there are `limit` items or no more. */
export async function collect<T>(
  limit: number,
  fetchPage: (page: { limit: number; cursor?: string }) => Promise<Page<T>>,
): Promise<{ items: T[]; nextCursor?: string }> {
  const items: T[] = [];
  let cursor: string | undefined;
  let empty = 0;
  do {
    const wanted = Math.min(PAGE, limit - items.length);
    const page = await fetchPage({ limit: wanted, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (page.items.length === 0) empty++;
  } while (cursor !== undefined && items.length < limit && empty < MAX_EMPTY_PAGES);
  return { items, ...(cursor === undefined ? {} : { nextCursor: cursor }) };
}
