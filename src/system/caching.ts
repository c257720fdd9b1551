import type { Clock } from "./clock.ts";

/** A map of bounded size that evicts the oldest entry. Setting a key again makes it the newest. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.most) this.delete(this.keys().next().value as Key);
    return super.set(key, value);
  }
}

/**
 * Returns a function that reports whether a key may pass: each at most once every `everyMs` milliseconds. A clock that is
 * set back or forward lets it pass sooner.
 *
 * @param most number of keys remembered; the oldest is forgotten, and may then pass sooner
 */
export function createThrottle(
  clock: Pick<Clock, "now">,
  { everyMs, most }: { everyMs: number; most: number },
): (key: string) => boolean {
  const passed = new BoundedMap<string, number>(most);
  return (key) => {
    const now = clock.now();
    const before = passed.get(key);
    if (before !== undefined && Math.abs(now - before) < everyMs) return false;
    passed.set(key, now);
    return true;
  };
}

/**
 * Returns a function that caches answers for a short time, so that concurrent requests for the same thing cost as
 * much as one. Failures are not cached.
 *
 * @param forMs maximum age of an answer
 * @param most number of answers kept; the oldest is evicted
 */
export function cachedFor<T>(
  clock: Pick<Clock, "now">,
  { forMs, most }: { forMs: number; most: number },
): (question: string, find: () => Promise<T>) => Promise<T> {
  const kept = new BoundedMap<string, { at: number; found: Promise<T> }>(most);
  return (question, find) => {
    const now = clock.now();
    const known = kept.get(question);
    if (known && Math.abs(now - known.at) < forMs) return known.found;
    const found = find();
    kept.set(question, { at: now, found });
    found.catch(() => {
      if (kept.get(question)?.found === found) kept.delete(question);
    });
    return found;
  };
}

/** Returns a function that creates a value on its first call and returns the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
