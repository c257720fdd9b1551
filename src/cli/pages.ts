import type { CallOptions } from "../client/api-client.ts";

interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** The API's largest page. */
const PAGE = 200;

/** Bounds the requests if the server keeps sending empty pages with a cursor. */
const MAX_EMPTY_PAGES = 20;

/** For pages after the first: waits until the minute of a limit is over, since giving up would lose what was read. */
const LATER_PAGE: CallOptions = { maxWaitSeconds: 60 };

/** Follows a list's cursors, page by page. */
export async function* eachPage<P extends Pick<Page<unknown>, "nextCursor">>(
  fetchPage: (place: { cursor?: string }, options: CallOptions) => Promise<P>,
): AsyncGenerator<P> {
  let page = await fetchPage({}, {});
  yield page;
  while (page.nextCursor !== undefined) {
    page = await fetchPage({ cursor: page.nextCursor }, LATER_PAGE);
    yield page;
  }
}

/** Follows a list's cursors until there are `limit` items or no more. */
export async function collect<T>(
  limit: number,
  fetchPage: (part: { limit: number; cursor?: string }, options: CallOptions) => Promise<Page<T>>,
): Promise<{ items: T[]; nextCursor?: string }> {
  const items: T[] = [];
  let empty = 0;
  const pages = eachPage((place, options) =>
    fetchPage({ limit: Math.min(PAGE, limit - items.length), ...place }, options),
  );
  for await (const page of pages) {
    items.push(...page.items);
    if (page.items.length === 0) empty++;
    const { nextCursor } = page;
    if (nextCursor !== undefined && (items.length >= limit || empty === MAX_EMPTY_PAGES))
      return { items, nextCursor };
  }
  return { items };
}
