import type { Clock } from "./clock.ts";

/** A map that holds so much at most: the oldest gives way. What is set again is the newest. */
export class Recent<Key, Value> extends Map<Key, Value> {
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
 * What was found for a question lately is given again to whoever asks the same meanwhile, so that many who look
 * at one thing cost as much as one. What failed is asked anew.
 *
 * @param forMs how old an answer may be.
 * @param most answers that are kept; the oldest gives way.
 */
export function lately<T>(
  clock: Pick<Clock, "now">,
  { forMs, most }: { forMs: number; most: number },
): (question: string, find: () => Promise<T>) => Promise<T> {
  const kept = new Recent<string, { at: number; found: Promise<T> }>(most);
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
