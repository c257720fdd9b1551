const MAX_USES = 20;

/** The most recently recalled memories, which an echo may repeat, with the times of their recall. */
export class RecentUses {
  /** Times by id, the latest last. */
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
