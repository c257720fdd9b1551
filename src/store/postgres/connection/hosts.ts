/** The driver takes them for `verify-full` and warns of that at each start; hosted databases hand out such URLs. */
const ALIASES_OF_VERIFY_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * The servers that a URL names, as libpq takes several: `postgres://user@first:5432,second:5432/database`. One of
 * them takes writes; which one may change at any time.
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

  /** Leads to the one that is tried at the moment. */
  get url(): string {
    return this.#urls[this.#place] as string;
  }

  get count(): number {
    return this.#urls.length;
  }

  /** That one is away, or takes no writes: from here on the next is tried, unless another is by now. */
  miss(url: string): void {
    if (url === this.url) this.#place = (this.#place + 1) % this.#urls.length;
  }
}
