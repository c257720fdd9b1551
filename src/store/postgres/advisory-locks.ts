import type { Space } from "../store.ts";

/*
 * A transaction that writes takes its turn at everything that it reads and writes, and holds it until the commit. There
 * is a turn for the documents of a collection in a space, and one for the counters of a space.
 */

export function countersLock(space: Space): string {
  return `counters\0${space}`;
}

export function documentsLock(collection: string, space: Space): string {
  return `documents\0${collection}\0${space}`;
}

/**
 * Returns the keys of the advisory locks that stand for turns between processes, distinct and in ascending order. Two
 * turns may have the same key, and then exclude each other.
 */
export function advisoryLockKeys(turns: Iterable<string>): number[] {
  return [...new Set(Array.from(turns, hash))].sort((left, right) => left - right);
}

/** FNV-1a, 32 bits, signed as PostgreSQL's integers are. */
function hash(text: string): number {
  let value = 0x811c9dc5 | 0;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
