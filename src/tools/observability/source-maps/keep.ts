import type { Space, Store } from "../../../store/store.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { othersFirst } from "../../../system/others-first.ts";
import { MAX_BUNDLES, PIECE_BYTES } from "./bounds.ts";
import {
  type BundleDocument,
  debugIdInPiece,
  pieceId,
  type SourceMapDocument,
  sourceMapBundles,
  sourceMapPieces,
  sourceMaps,
} from "./documents.ts";
import type { Piece } from "./framed.ts";

/**
 * How long a bundle is kept after its last use. It expires a week later than that, so that a use is written
 * at most once a week.
 */
export const KEPT_MS = 90 * DAY_MS;
const RENEWED_MS = KEPT_MS + 7 * DAY_MS;
/** Parts deleted in one transaction. */
const SLICE = 20;

interface Kept {
  checksum: string;
  document: Omit<BundleDocument, "isWhole">;
  maps: readonly Piece<{ debugId: string; url: string }>[];
}

/** Writes a bundle's maps, each part in a transaction of its own. The bundle counts once all are written. */
export async function keepBundle(
  store: Store,
  space: Space,
  { checksum, document, maps }: Kept,
): Promise<void> {
  const lifetime = { expiresAt: document.uploadedAt + RENEWED_MS };
  await makeRoom(store, space);
  await store.transact((tx) =>
    tx.put(sourceMapBundles, space, checksum, { ...document, isWhole: false }, lifetime),
  );
  for (const { about, bytes } of maps) {
    const { debugId, url } = about;
    const pieces = Math.ceil(bytes.length / PIECE_BYTES);
    for (let index = 0; index < pieces; index++) {
      const part = bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
      const data = Buffer.from(part).toString("base64");
      await store.transact((tx) =>
        tx.put(sourceMapPieces, space, pieceId(checksum, debugId, index), { data }, lifetime),
      );
      await othersFirst();
    }
    await store.transact((tx) =>
      tx.put(sourceMaps, space, debugId, { bundle: checksum, url, pieces }, lifetime),
    );
  }
  await store.transact((tx) =>
    tx.put(sourceMapBundles, space, checksum, { ...document, isWhole: true }, lifetime),
  );
}

/** Deletes a bundle and its maps. Returns false if it does not exist. */
export async function removeBundle(store: Store, space: Space, checksum: string): Promise<boolean> {
  const found = await store.transact(async (tx) => {
    const known = await tx.has(sourceMapBundles, space, checksum);
    await tx.delete(sourceMapBundles, space, checksum);
    return known;
  });
  for (let deleted = SLICE; deleted === SLICE; ) {
    deleted = await store.transact(async (tx) => {
      const ids = await tx.ids(sourceMapPieces, space, { prefix: `${checksum}/`, limit: SLICE });
      for (const id of ids) {
        const map = await tx.get(sourceMaps, space, debugIdInPiece(id));
        if (map?.bundle === checksum) await tx.delete(sourceMaps, space, debugIdInPiece(id));
        await tx.delete(sourceMapPieces, space, id);
      }
      return ids.length;
    });
    await othersFirst();
  }
  return found;
}

/** Reads a map, still packed. Returns undefined if it was deleted meanwhile. */
export async function readMap(
  store: Store,
  space: Space,
  debugId: string,
  { bundle, pieces }: SourceMapDocument,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  for (let index = 0; index < pieces; index++) {
    const id = pieceId(bundle, debugId, index);
    const piece = await store.transact((tx) => tx.get(sourceMapPieces, space, id));
    if (!piece) return undefined;
    parts.push(Buffer.from(piece.data, "base64"));
    await othersFirst();
  }
  return Buffer.concat(parts);
}

/** Extends the lifetime of a map that was used, at most once a week, since that rewrites all of it. */
export async function noteUse(store: Store, space: Space, debugId: string, now: number): Promise<void> {
  const lifetime = { expiresAt: now + RENEWED_MS };
  const due = await store.transact(async (tx) => {
    const map = await tx.get(sourceMaps, space, debugId);
    const bundle = map && (await tx.get(sourceMapBundles, space, map.bundle));
    if (!map || !bundle || now - (map.usedAt ?? bundle.uploadedAt) < RENEWED_MS - KEPT_MS) return undefined;
    await tx.put(sourceMapBundles, space, map.bundle, { ...bundle, usedAt: now }, lifetime);
    await tx.put(sourceMaps, space, debugId, { ...map, usedAt: now }, lifetime);
    return map;
  });
  for (let index = 0; index < (due?.pieces ?? 0); index++) {
    const id = pieceId((due as SourceMapDocument).bundle, debugId, index);
    await store.transact(async (tx) => {
      const piece = await tx.get(sourceMapPieces, space, id);
      if (piece) await tx.put(sourceMapPieces, space, id, piece, lifetime);
    });
  }
}

/** Deletes the least recently used bundle if the project has as many as it may. */
async function makeRoom(store: Store, space: Space): Promise<void> {
  const all = await store.transact((tx) => tx.list(sourceMapBundles, space, { limit: MAX_BUNDLES }));
  if (all.length < MAX_BUNDLES) return;
  const lastUse = ({ usedAt, uploadedAt }: BundleDocument) => usedAt ?? uploadedAt;
  const [oldest] = all.sort((left, right) => lastUse(left.value) - lastUse(right.value));
  if (oldest) await removeBundle(store, space, oldest.id);
}
