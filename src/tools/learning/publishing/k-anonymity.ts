/** k-anonymity: the minimum number of projects that anything is published about. */
const K = 5;
/** The minimum number of these that belong to others, seen from any account: no account may know all but one. */
const MIN_OF_OTHERS = K - 1;

/** A set of projects that hide each other, counted by account. */
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

  /**
   * Whether there are five or more, of which every account has at least four others. No account can then tell
   * them apart.
   */
  get isKAnonymous(): boolean {
    return this.size >= K && this.size - this.#largest >= MIN_OF_OTHERS;
  }

  /** Whether there are five or more and all belong to a single account, which learns nothing from its own. */
  get ofOneAccount(): boolean {
    return this.size >= K && this.#accounts.size === 1;
  }
}
