/** The driver treats these as `verify-full` and warns about it at each start. Hosted databases hand out such URLs. */
const ALIASES_OF_VERIFY_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * The servers that a URL names. As with libpq, there may be several: `postgres://user@first:5432,second:5432/database`.
 * One of them accepts writes, and which one may change at any time.
 */
export class Hosts {
  readonly #urls: readonly string[];
  #place = 0;

  constructor(given: string) {
    const url = given.includes("uselibpqcompat=")
      ? given
      : given.replace(ALIASES_OF_VERIFY_FULL, "$1verify-full");
    const [, before = "", names = "", after = ""] =
      /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
    this.#urls = names.includes(",") ? names.split(",").map((name) => before + name + after) : [url];
  }

  /** URL of the current host. */
  get url(): string {
    return this.#urls[this.#place] as string;
  }

  get count(): number {
    return this.#urls.length;
  }

  /**
   * Reports a host that is unavailable or accepts no writes. Moves on to the next, unless another is current already.
   */
  miss(url: string): void {
    if (url === this.url) this.#place = (this.#place + 1) % this.#urls.length;
  }
}
