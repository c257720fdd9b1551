/** k-anonymity: nothing is said of fewer projects. */
const K = 5;
/** And of those no account may know all but one: each must have so many of others beside it. */
const MIN_OF_OTHERS = K - 1;

/** Projects that hide each other, by the account of each. */
export class AnonymitySet {
  readonly #accounts = new Map<string, number>();
  size = 0;
  #largest = 0;

  constructor(accounts: Iterable<string> = []) {
    for (const account of accounts) this.add(account);
  }

  add(account: string): void {
    const projects = (this.#accounts.get(account) ?? 0) + 1;
    this.#accounts.set(account, projects);
    this.#largest = Math.max(this.#largest, projects);
    this.size++;
  }

  /** Five or more, and to every account at least four of others: no account can tell them apart. */
  get isKAnonymous(): boolean {
    return this.size >= K && this.size - this.#largest >= MIN_OF_OTHERS;
  }

  /** Five or more of a single account, which has nothing to learn from its own. */
  get ofOneAccount(): boolean {
    return this.size >= K && this.#accounts.size === 1;
  }
}
