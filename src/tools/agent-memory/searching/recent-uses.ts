const MAX_USES = 20;

/** The memories that were recalled last, and when: what an echo may repeat. */
export class RecentUses {
  /** The latest stands last. */
  readonly #at = new Map<string, number>();

  add(id: string, at: number): void {
    this.#at.delete(id);
    this.#at.set(id, at);
    if (this.#at.size > MAX_USES) this.#at.delete(this.#at.keys().next().value as string);
  }

  remove(id: string): void {
    this.#at.delete(id);
  }

  since(time: number): string[] {
    return [...this.#at].filter(([, at]) => at >= time).map(([id]) => id);
  }
}
