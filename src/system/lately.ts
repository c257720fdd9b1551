import type { Clock } from "./clock.ts";

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
  const kept = new Map<string, { at: number; found: Promise<T> }>();
  return (question, find) => {
    const now = clock.now();
    const known = kept.get(question);
    if (known && Math.abs(now - known.at) < forMs) return known.found;
    const found = find();
    kept.delete(question);
    if (kept.size >= most) kept.delete(kept.keys().next().value as string);
    kept.set(question, { at: now, found });
    found.catch(() => {
      if (kept.get(question)?.found === found) kept.delete(question);
    });
    return found;
  };
}
