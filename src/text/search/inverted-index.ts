import { copyOf } from "../copy.ts";

/** A term and its weight in a document, in halves, are packed into one number, as are a document and a weight. */
const WEIGHT_BITS = 8;
const MAX_WEIGHT = 255;
const UNIT = 2;

/** The weight of each term in a document. */
export type TermWeights = ReadonlyMap<string, number>;

/** Notified of the terms in the index. */
export interface Vocabulary {
  add(term: string): void;
  remove(term: string): void;
}

/**
 * Maps terms to the documents that contain them, and documents to their terms. Documents are identified by small
 * numbers. The cost of adding and removing does not depend on the number of documents.
 */
export class InvertedIndex {
  readonly #numbers = new Map<string, number>();
  /** By term number: the term, and its postings. */
  readonly #names: string[] = [];
  readonly #postings: number[][] = [];
  readonly #free: number[] = [];
  /** By document: its packed terms, then for each of them its position in the term's postings. */
  readonly #contents: (Uint32Array | undefined)[] = [];
  readonly #lengths: number[] = [];
  readonly #vocabulary: Vocabulary | undefined;
  /** Number of distinct terms, summed over the documents. */
  size = 0;

  constructor(vocabulary?: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  add(document: number, weights: TermWeights): void {
    const contents = new Uint32Array(2 * weights.size);
    let at = 0;
    let length = 0;
    for (const [term, weight] of weights) {
      const number = this.#obtain(term);
      contents[at] = packed(number, weight);
      contents[weights.size + at] = this.#post(number, packed(document, weight));
      length += weight;
      at++;
    }
    this.#contents[document] = contents;
    this.#lengths[document] = length;
    this.size += weights.size;
  }

  remove(document: number): void {
    const contents = this.#contents[document];
    if (!contents) return;
    const size = contents.length / 2;
    for (let at = 0; at < size; at++) {
      this.#withdraw(termIn(contents[at] as number), contents[size + at] as number);
    }
    this.size -= size;
    this.#contents[document] = undefined;
    this.#lengths[document] = 0;
  }

  /** Upper bound of the term numbers. */
  get termCount(): number {
    return this.#postings.length;
  }

  /** Number of terms in at least one document. */
  get vocabularySize(): number {
    return this.#numbers.size;
  }

  numberOf(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  nameOf(term: number): string {
    return this.#names[term] as string;
  }

  has(document: number): boolean {
    return this.#contents[document] !== undefined;
  }

  /** Returns packed documents and weights, for `documentIn` and `weightIn`. */
  postingsOf(term: number): readonly number[] {
    return this.#postings[term] as number[];
  }

  /** Returns packed terms and weights, for `termIn` and `weightIn`. */
  contentsOf(document: number): Uint32Array {
    const contents = this.#contents[document] ?? NOTHING;
    return contents.subarray(0, contents.length / 2);
  }

  /** Returns the sum of the weights of a document's terms. */
  lengthOf(document: number): number {
    return this.#lengths[document] ?? 0;
  }

  /**
   * Adds a posting and returns its position. Most terms have one, for which an array literal takes the least memory.
   */
  #post(term: number, posting: number): number {
    const postings = this.#postings[term] as number[];
    if (postings.length > 0) return postings.push(posting) - 1;
    this.#postings[term] = [posting];
    return 0;
  }

  /** Removes a posting by moving the term's last one into its place. */
  #withdraw(term: number, place: number): void {
    const postings = this.#postings[term] as number[];
    const last = postings.pop() as number;
    if (place < postings.length) {
      postings[place] = last;
      const contents = this.#contents[documentIn(last)] as Uint32Array;
      // A position may look like a packed term, but the terms come first.
      contents[contents.length / 2 + contents.indexOf(packedAs(term, last))] = place;
    }
    if (postings.length > 0) return;
    const name = this.nameOf(term);
    this.#numbers.delete(name);
    this.#names[term] = "";
    this.#postings[term] = NO_POSTINGS;
    this.#free.push(term);
    this.#vocabulary?.remove(name);
  }

  #obtain(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const name = copyOf(term);
    const number = this.#free.pop() ?? this.#postings.push(NO_POSTINGS) - 1;
    this.#names[number] = name;
    this.#numbers.set(name, number);
    this.#vocabulary?.add(name);
    return number;
  }
}

const NOTHING = new Uint32Array(0);
/** Shared, and never modified. */
const NO_POSTINGS: number[] = [];

function packed(number: number, weight: number): number {
  return ((number << WEIGHT_BITS) | Math.max(1, Math.min(MAX_WEIGHT, Math.round(weight * UNIT)))) >>> 0;
}

/** Packs a number with the weight of another packed value. */
function packedAs(number: number, other: number): number {
  return ((number << WEIGHT_BITS) | (other & MAX_WEIGHT)) >>> 0;
}

export function documentIn(posting: number): number {
  return posting >>> WEIGHT_BITS;
}
export const termIn = documentIn;

export function weightIn(packed: number): number {
  return (packed & MAX_WEIGHT) / UNIT;
}
