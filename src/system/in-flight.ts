/** Work side by side, so much at a time, each started in its turn. */
export class InFlight {
  readonly #underWay = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;

  /** @param most how many at a time. */
  constructor(readonly most: number) {}

  /** Starts it as soon as there is room. Rejects instead, as `landed` does, where one before it failed. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= this.most) await Promise.race(this.#underWay);
    if (this.#failure) return this.landed();
    const one = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  /** Resolves when nothing is under way; rejects then where something failed, with what failed first. */
  async landed(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure.error;
  }
}
