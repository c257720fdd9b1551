const MiB = 1024 * 1024;

/** Size of the parts in which bundles are uploaded, and maps are stored. */
export const PIECE_BYTES = MiB / 2;
/** Parts in a request. */
export const MAX_PIECES = 8;
/** Size of a bundle, packed. */
export const MAX_BUNDLE_BYTES = 32 * MiB;
/** Files in a bundle. */
export const MAX_FILES = 5000;
/** Source maps in a bundle. */
export const MAX_MAPS = 1000;
/** Size of one map, unpacked. */
export const MAX_MAP_BYTES = 32 * MiB;
/** Size of all maps of a bundle, unpacked. */
export const MAX_UNPACKED_BYTES = 256 * MiB;
/** Size of a map's `mappings`, which take thirty times as much memory when they are read. */
export const MAX_MAPPINGS = 8 * MiB;
/** Line of a bundled program that a section may begin at. A reader makes a list for each line before it. */
export const MAX_SECTION_LINE = 1_000_000;
/** Depth of maps within maps. */
export const MAX_DEPTH = 4;
/** Maps within one map altogether. */
export const MAX_SECTIONS = 1000;
/** Bundles of a project. */
export const MAX_BUNDLES = 200;
/** Parts that an account has uploaded but not assembled. */
export const MAX_WAITING_PIECES = 2 * (MAX_BUNDLE_BYTES / PIECE_BYTES);
