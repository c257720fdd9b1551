/** A term and what it weighs in a document, in halves, are one number; likewise a document and that. */
const WEIGHT_BITS = 8;
const MOST_WEIGHT = 255;
const UNIT = 2;

/** Terms to their weight in a document. */
export type TermWeights = ReadonlyMap<string, number>;

/**
 * Which documents hold a term, and which terms a document holds. Documents go by small numbers; adding
 * costs the same however many there are, removing grows with those that hold the same terms.
 */
export class InvertedIndex {
  readonly #numbers = new Map<string, number>();
  /** By term: documents. */
  readonly #postings: number[][] = [];
  /** By document: terms. */
  readonly #contents: (Uint32Array | undefined)[] = [];
  readonly #lengths: number[] = [];
  /** Terms in documents, each counted once a document. */
  size = 0;

  add(document: number, weights: TermWeights): void {
    const contents = new Uint32Array(weights.size);
    let at = 0;
    let length = 0;
    for (const [term, weight] of weights) {
      const number = this.#obtain(term);
      contents[at++] = packed(number, weight);
      (this.#postings[number] as number[]).push(packed(document, weight));
      length += weight;
    }
    this.#contents[document] = contents;
    this.#lengths[document] = length;
    this.size += contents.length;
  }

  remove(document: number): void {
    for (const content of this.#contents[document] ?? []) {
      const postings = this.#postings[content >>> WEIGHT_BITS] as number[];
      const posting = packed(document, weightIn(content));
      const last = postings.pop() as number;
      if (last !== posting) postings[postings.indexOf(posting)] = last;
    }
    this.size -= this.#contents[document]?.length ?? 0;
    this.#contents[document] = undefined;
    this.#lengths[document] = 0;
  }

  /** All terms' numbers are below. */
  get termCount(): number {
    return this.#postings.length;
  }

  numberOf(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  /** Each a document and a weight: `documentIn`, `weightIn`. */
  postingsOf(term: number): readonly number[] {
    return this.#postings[term] as number[];
  }

  /** Each a term and a weight: `termIn`, `weightIn`. */
  contentsOf(document: number): Uint32Array {
    return this.#contents[document] ?? NOTHING;
  }

  /** The weights of a document's terms together. */
  lengthOf(document: number): number {
    return this.#lengths[document] ?? 0;
  }

  #obtain(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#postings.push([]) - 1;
    this.#numbers.set(term, number);
    return number;
  }
}

const NOTHING = new Uint32Array(0);

function packed(number: number, weight: number): number {
  return ((number << WEIGHT_BITS) | Math.max(1, Math.min(MOST_WEIGHT, Math.round(weight * UNIT)))) >>> 0;
}

export function documentIn(posting: number): number {
  return posting >>> WEIGHT_BITS;
}
export const termIn = documentIn;

export function weightIn(packed: number): number {
  return (packed & MOST_WEIGHT) / UNIT;
}
