import { pageOf } from "../../../contract/endpoint.ts";
import type { Space, Store } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import { defined } from "../../../system/defined.ts";
import { timeId } from "../documents.ts";
import { MAX_BUNDLES } from "./bounds.ts";
import type { SourceMapBundle } from "./contract.ts";
import { sourceMapBundles } from "./documents.ts";
import { KEPT_MS } from "./keep.ts";

/** Returns the bundles of a project, latest first. The cursor is the place of the last one of the previous page. */
export async function listBundles(
  store: Store,
  space: Space,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: SourceMapBundle[]; nextCursor?: string }> {
  const all = await store.transact((tx) => tx.list(sourceMapBundles, space, { limit: MAX_BUNDLES }));
  const behind = all
    .filter(({ value }) => value.isWhole)
    .map(({ id, value }) => ({ id, value, place: timeId(value.uploadedAt, id) }))
    .filter(({ place }) => cursor === undefined || place < cursor)
    .sort((left, right) => (left.place < right.place ? 1 : -1));
  const { items: page, ...next } = pageOf(behind, limit, ({ place }) => place);
  const items = page.map(({ id, value }): SourceMapBundle => {
    const { release, dist, maps, bytes, uploadedAt, uploadedBy, usedAt } = value;
    return {
      id,
      ...defined({ release, dist }),
      maps,
      bytes,
      uploadedAt: iso(uploadedAt),
      uploadedBy,
      keptUntil: iso((usedAt ?? uploadedAt) + KEPT_MS),
    };
  });
  return { items, ...next };
}
