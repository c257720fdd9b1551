/** Runs tasks concurrently, up to a limit, started in order. */
export class InFlight {
  readonly #underWay = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;

  /** @param most tasks at a time */
  constructor(readonly most: number) {}

  /** Starts a task as soon as there is room. If an earlier one has failed, rejects like `drain` instead. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= this.most) await Promise.race(this.#underWay);
    if (this.#failure) return this.drain();
    const one = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  /** Resolves when no task is running. Rejects with the first error if any task failed. */
  async drain(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure.error;
  }
}
