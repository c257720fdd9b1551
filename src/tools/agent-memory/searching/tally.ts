/** Counts names, such as tags or keywords, over the memories that have them. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(names: Iterable<string>, by: 1 | -1): void {
    for (const name of names) {
      const count = (this.#counts.get(name) ?? 0) + by;
      if (count > 0) this.#counts.set(name, count);
      else this.#counts.delete(name);
    }
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Returns the most frequent names with their counts, in descending order; ties are sorted by name. */
  top(limit: number): [name: string, count: number][] {
    let least = 0;
    let best: [string, number][] = [];
    for (const entry of this.#counts) {
      if (entry[1] < least) continue;
      best.push(entry);
      if (best.length < 4 * limit) continue;
      best = inOrder(best).slice(0, limit);
      least = best[limit - 1]?.[1] ?? 0;
    }
    return inOrder(best).slice(0, limit);
  }
}

function inOrder(entries: [string, number][]): [string, number][] {
  return entries.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
