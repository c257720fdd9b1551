import { collection } from "../../../store/store.ts";

/** An artifact bundle whose source maps are kept. Times are milliseconds since the epoch. */
export interface BundleDocument {
  release?: string;
  dist?: string;
  maps: number;
  /** Size of its maps, packed. */
  bytes: number;
  uploadedAt: number;
  /** The id of a user. */
  uploadedBy: string;
  usedAt?: number;
  /** False while its maps are being written, and if that was interrupted. */
  isWhole: boolean;
}

export interface SourceMapDocument {
  /** Checksum of its bundle. */
  bundle: string;
  url: string;
  pieces: number;
  /** When a use last made its lifetime longer. */
  usedAt?: number;
}

/** Bytes in base64. */
export interface PieceDocument {
  data: string;
}

/** In the account's space, by SHA-1: parts of bundles that wait to be assembled. */
export const waitingPieces = collection<PieceDocument>("source_map_waiting_pieces");
/** In the project's space, by checksum. */
export const sourceMapBundles = collection<BundleDocument>("source_map_bundles");
/** In the project's space, by debug id. */
export const sourceMaps = collection<SourceMapDocument>("source_maps");
/** In the project's space, by `pieceId`: maps as JSON, deflated. */
export const sourceMapPieces = collection<PieceDocument>("source_map_pieces");

export const sourceMapCollections = [waitingPieces, sourceMapBundles, sourceMaps, sourceMapPieces] as const;

export function pieceId(bundle: string, debugId: string, index: number): string {
  return `${bundle}/${debugId}/${String(index).padStart(4, "0")}`;
}

/** Returns the debug id in a `pieceId`. */
export function debugIdInPiece(id: string): string {
  return id.split("/")[1] as string;
}
