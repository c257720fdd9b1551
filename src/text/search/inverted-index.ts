/** A term and what it weighs in a document, in halves, are one number; likewise a document and that. */
const WEIGHT_BITS = 8;
const MAX_WEIGHT = 255;
const UNIT = 2;

/** Terms to their weight in a document. */
export type TermWeights = ReadonlyMap<string, number>;

/** Hears which terms there are. */
export interface Vocabulary {
  add(term: string): void;
  remove(term: string): void;
}

/**
 * Which documents hold a term, and which terms a document holds. Documents go by small numbers; adding
 * and removing cost the same however many there are.
 */
export class InvertedIndex {
  readonly #numbers = new Map<string, number>();
  /** By term: its name, and documents. */
  readonly #names: string[] = [];
  readonly #postings: number[][] = [];
  readonly #free: number[] = [];
  /** By document: its terms, then for each of them the place among the term's postings. */
  readonly #contents: (Uint32Array | undefined)[] = [];
  readonly #lengths: number[] = [];
  readonly #vocabulary: Vocabulary | undefined;
  /** Terms in documents, each counted once a document. */
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

  /** All terms' numbers are below. */
  get termCount(): number {
    return this.#postings.length;
  }

  /** Terms that documents hold. */
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

  /** Each a document and a weight: `documentIn`, `weightIn`. */
  postingsOf(term: number): readonly number[] {
    return this.#postings[term] as number[];
  }

  /** Each a term and a weight: `termIn`, `weightIn`. */
  contentsOf(document: number): Uint32Array {
    const contents = this.#contents[document] ?? NOTHING;
    return contents.subarray(0, contents.length / 2);
  }

  /** The weights of a document's terms together. */
  lengthOf(document: number): number {
    return this.#lengths[document] ?? 0;
  }

  /** Its place. Most terms stand in one document: an array that was begun with one takes least. */
  #post(term: number, posting: number): number {
    const postings = this.#postings[term] as number[];
    if (postings.length > 0) return postings.push(posting) - 1;
    this.#postings[term] = [posting];
    return 0;
  }

  /** The last posting of a term takes the place of one that goes. */
  #withdraw(term: number, place: number): void {
    const postings = this.#postings[term] as number[];
    const last = postings.pop() as number;
    if (place < postings.length) {
      postings[place] = last;
      const contents = this.#contents[documentIn(last)] as Uint32Array;
      // A place may look like a term: terms come first.
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
    const name = ownCopy(term);
    const number = this.#free.pop() ?? this.#postings.push(NO_POSTINGS) - 1;
    this.#names[number] = name;
    this.#numbers.set(name, number);
    this.#vocabulary?.add(name);
    return number;
  }
}

const NOTHING = new Uint32Array(0);
/** Nothing is ever added to it. */
const NO_POSTINGS: number[] = [];

/** From so many characters on, V8 keeps a piece of a string as a reference into the whole. */
const MIN_SLICED = 13;

/** A string that does not hold the text that it was cut out of in memory. */
function ownCopy(text: string): string {
  return text.length < MIN_SLICED ? text : Buffer.from(text, "utf8").toString("utf8");
}

function packed(number: number, weight: number): number {
  return ((number << WEIGHT_BITS) | Math.max(1, Math.min(MAX_WEIGHT, Math.round(weight * UNIT)))) >>> 0;
}

/** With the weight that another has. */
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
