import { Vocabulary } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** BM25 (Robertson and Zaragoza 2009, §3.1): how soon repetition stops to count, how much length does. */
const K1 = 1.2;
const B = 0.5;
/** Against an exact match: a word of which the beginning was given, the more of it the better, and a typo. */
const PREFIX_WEIGHT = 0.3;
const PREFIX_SHARE_WEIGHT = 0.3;
const TYPO_WEIGHT = 0.25;

/** A word and what it counts in a document, in eighths, are one number; likewise a document and that. */
const WEIGHT_BITS = 8;
const MOST_WEIGHT = 255;
const UNIT = 8;

/** A text of a document, and what each word of it counts. */
export interface Field {
  text: string;
  weight: number;
}

export interface Hit {
  document: number;
  score: number;
  /** Indexed words, in order. */
  matched: string[];
}

/** An inverted index of documents that go by small numbers. */
export class SearchIndex {
  readonly #vocabulary = new Vocabulary();
  /** By word: documents. */
  readonly #postings: number[][] = [];
  /** By document: words. */
  readonly #contents: (number[] | undefined)[] = [];
  readonly #lengths: number[] = [];
  #documents = 0;
  #totalLength = 0;

  /** Words in documents, each counted once a document. */
  size = 0;

  put(document: number, fields: readonly Field[]): void {
    const { weights, length } = weigh(fields);
    const before = new Set(this.#contents[document]);
    if (this.#contents[document] === undefined) this.#documents++;
    const contents = [...weights].map(([word, weight]) => {
      const number = this.#vocabulary.obtain(word);
      const content = packed(number, weight);
      if (!before.delete(content)) this.#post(number, packed(document, weight));
      return content;
    });
    for (const content of before) this.#unpost(document, content);
    this.size += contents.length - (this.#contents[document]?.length ?? 0);
    this.#totalLength += length - (this.#lengths[document] ?? 0);
    this.#contents[document] = contents;
    this.#lengths[document] = length;
  }

  remove(document: number): void {
    const contents = this.#contents[document];
    if (!contents) return;
    for (const content of contents) this.#unpost(document, content);
    this.size -= contents.length;
    this.#totalLength -= this.#lengths[document] as number;
    this.#documents--;
    this.#contents[document] = undefined;
    this.#lengths[document] = 0;
  }

  /**
   * The best of what matches any word of the query, best first. A word adds to a document's score what
   * the best of its matches there gives.
   *
   * @param accepts says which documents may be found.
   * @param precedes puts documents of one score in order.
   */
  search(
    query: string,
    limit: number,
    accepts: (document: number) => boolean,
    precedes: (document: number, other: number) => boolean,
  ): Hit[] {
    const scores = new Float64Array(this.#lengths.length);
    const ofWord = new Float64Array(this.#lengths.length);
    const touched: number[] = [];
    const matching = new Set<number>();
    for (const word of new Set(wordsOf(query))) {
      const raised: number[] = [];
      for (const [number, weight] of this.#matchesOf(word)) {
        matching.add(number);
        for (const posting of this.#postings[number] as number[]) {
          const document = posting >> WEIGHT_BITS;
          const score = weight * this.#saturation(document, weightIn(posting));
          if (ofWord[document] === 0) raised.push(document);
          if (score > (ofWord[document] as number)) ofWord[document] = score;
        }
      }
      for (const document of raised) {
        if (scores[document] === 0 && accepts(document)) touched.push(document);
        scores[document] = (scores[document] as number) + (ofWord[document] as number);
        ofWord[document] = 0;
      }
    }
    const best = bestOf(touched, limit, (document, other) => {
      const difference = (scores[document] as number) - (scores[other] as number);
      return difference === 0 ? precedes(document, other) : difference > 0;
    });
    return best.map((document) => ({
      document,
      score: scores[document] as number,
      matched: this.#matchedIn(document, matching),
    }));
  }

  /** The indexed words that a word of a query stands for, with what each is worth. */
  #matchesOf(word: string): Map<number, number> {
    const matches = new Map<number, number>();
    const exact = this.#vocabulary.words.find(word);
    const rarity = exact === undefined ? Number.POSITIVE_INFINITY : this.#rarity(exact);
    const add = (match: string, weight: number): void => {
      const number = this.#vocabulary.words.find(match) as number;
      // A rare word that merely resembles what was asked for is not worth more than that.
      const value = weight * Math.min(rarity, this.#rarity(number));
      if (value > (matches.get(number) ?? 0)) matches.set(number, value);
    };
    if (exact !== undefined) matches.set(exact, rarity);
    for (const match of this.#vocabulary.beginningWith(word)) {
      add(match, PREFIX_WEIGHT + (PREFIX_SHARE_WEIGHT * word.length) / match.length);
    }
    for (const match of this.#vocabulary.oneTypoFrom(word)) add(match, TYPO_WEIGHT);
    return matches;
  }

  #rarity(word: number): number {
    const having = (this.#postings[word] as number[]).length;
    return Math.log(1 + (this.#documents - having + 0.5) / (having + 0.5));
  }

  #saturation(document: number, frequency: number): number {
    const average = this.#totalLength / this.#documents;
    const length = 1 - B + (B * (this.#lengths[document] as number)) / average;
    return (frequency * (K1 + 1)) / (frequency + K1 * length);
  }

  #matchedIn(document: number, matching: ReadonlySet<number>): string[] {
    const words = (this.#contents[document] as number[]).map((content) => content >> WEIGHT_BITS);
    return words.filter((word) => matching.has(word)).map((word) => this.#vocabulary.words.nameOf(word));
  }

  #post(word: number, posting: number): void {
    const postings = this.#postings[word];
    if (postings) postings.push(posting);
    else this.#postings[word] = [posting];
  }

  #unpost(document: number, content: number): void {
    const word = content >> WEIGHT_BITS;
    const postings = this.#postings[word] as number[];
    const last = postings.pop() as number;
    const posting = packed(document, weightIn(content));
    if (last !== posting) postings[postings.indexOf(posting)] = last;
    if (postings.length === 0) this.#vocabulary.remove(this.#vocabulary.words.nameOf(word));
  }
}

/** What each word counts, and how many words there are. */
function weigh(fields: readonly Field[]): { weights: Map<string, number>; length: number } {
  const weights = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of fields) {
    const words = wordsOf(text);
    length += words.length;
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return { weights, length };
}

function packed(number: number, weight: number): number {
  return (number << WEIGHT_BITS) | Math.max(1, Math.min(MOST_WEIGHT, Math.round(weight * UNIT)));
}

function weightIn(packed: number): number {
  return (packed & MOST_WEIGHT) / UNIT;
}

/** The first `limit` in order, without putting all the others in order too. */
function bestOf(items: readonly number[], limit: number, precedes: (a: number, b: number) => boolean) {
  const best: number[] = [];
  for (const item of items) {
    if (best.length === limit && !precedes(item, best[limit - 1] as number)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (precedes(best[middle] as number, item)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, item);
    if (best.length > limit) best.pop();
  }
  return best;
}
