const MiB = 1024 * 1024;

/** Of a part of a bundle as it is uploaded, and as it is kept of a map. */
export const PIECE_BYTES = MiB / 2;
/** Parts in a request. */
export const MAX_PIECES = 8;
/** Of a bundle, packed. */
export const MAX_BUNDLE_BYTES = 32 * MiB;
/** Files in a bundle, and the source maps that are kept of it. */
export const MAX_FILES = 5000;
export const MAX_MAPS = 1000;
/** Unpacked: of one map, and of all of a bundle. */
export const MAX_MAP_BYTES = 32 * MiB;
export const MAX_UNPACKED_BYTES = 256 * MiB;
/** Of a map's `mappings`, which take thirty times as much memory when they are read. */
export const MAX_MAPPINGS = 8 * MiB;
/** How deep maps may lie in maps, and how many altogether. */
export const MAX_DEPTH = 4;
export const MAX_SECTIONS = 1000;
/** Of a project. */
export const MAX_BUNDLES = 200;
/** Parts that an account has uploaded and not put together. */
export const MAX_WAITING_PIECES = 2 * (MAX_BUNDLE_BYTES / PIECE_BYTES);
