import type { Steps } from "../../../store/projection.ts";
import { wordsInPieces } from "../../../text/in-pieces.ts";
import { bestOf } from "../../../text/search/best.ts";
import { rarity, saturation } from "../../../text/search/bm25.ts";
import { documentIn, InvertedIndex, termIn, weightIn } from "../../../text/search/inverted-index.ts";
import { Vocabulary } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** BM25 (Robertson and Zaragoza 2009, §3.1): how soon repetition saturates, and how much length counts. */
const BM25 = { k1: 1.2, b: 0.5 };
/**
 * Weights relative to an exact match: of a word whose beginning was given, of the share of it that was given, and of a
 * typo.
 */
const PREFIX_WEIGHT = 0.3;
const PREFIX_SHARE_WEIGHT = 0.3;
const TYPO_WEIGHT = 0.25;

/** Number of words that a document is found by: its first ones. */
const MAX_WORDS = 2000;
/** Bounds on the time of a query: its words, words with the same beginning, candidates for typos, and postings read. */
const MAX_ASKED = 256;
const MAX_BEGINNING = 2000;
const MAX_LOOKED = 100_000;
const MAX_READ = 400_000;
/** Maximum number of words named for a hit. */
const MAX_MATCHED = 100;
/** Memory of a word in a document, of a word and of a letter, in bytes. Measured with 100,000 entities. */
const POSTING_BYTES = 20;
const WORD_BYTES = 220;
const LETTER_BYTES = 80;

/** A text of a document, and the weight of each word in it. */
export interface Field {
  text: string;
  weight: number;
}

export interface Hit {
  document: number;
  score: number;
  /** The indexed words that matched, in order. */
  matched: string[];
}

/** An inverted index of documents that are identified by small integers. */
export class SearchIndex {
  readonly #vocabulary = new Vocabulary((word) => this.#index.numberOf(word) !== undefined);
  readonly #index = new InvertedIndex(this.#vocabulary);
  /** By document: its number of words. */
  readonly #lengths: number[] = [];
  #documents = 0;
  #totalLength = 0;

  *put(document: number, fields: readonly Field[]): Steps<void> {
    const { weights, length } = yield* weigh(fields);
    this.remove(document);
    this.#index.add(document, weights);
    this.#documents++;
    this.#totalLength += length;
    this.#lengths[document] = length;
  }

  remove(document: number): void {
    if (!this.#index.has(document)) return;
    this.#index.remove(document);
    this.#documents--;
    this.#totalLength -= this.#lengths[document] as number;
    this.#lengths[document] = 0;
  }

  /** Approximate memory, in bytes. */
  get bytes(): number {
    return (
      POSTING_BYTES * this.#index.size +
      WORD_BYTES * this.#index.vocabularySize +
      LETTER_BYTES * this.#vocabulary.letterCount
    );
  }

  /**
   * Returns the best documents that match any word of the query, best first. For each word, the best of its matches in
   * a document is added to the score.
   *
   * @param accepts whether a document may be found.
   * @param precedes orders documents of equal score.
   */
  *search(
    query: string,
    limit: number,
    accepts: (document: number) => boolean,
    precedes: (document: number, other: number) => boolean,
  ): Steps<Hit[]> {
    const scores = new Float64Array(this.#lengths.length);
    const ofWord = new Float64Array(this.#lengths.length);
    const touched: number[] = [];
    const matching = new Set<number>();
    const left = { looked: MAX_LOOKED, read: MAX_READ };
    for (const word of [...new Set(wordsOf(query))].slice(0, MAX_ASKED)) {
      yield;
      const raised: number[] = [];
      for (const [number, weight] of this.#matchesOf(word, left)) {
        matching.add(number);
        for (const posting of this.#index.postingsOf(number)) {
          const document = documentIn(posting);
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
      return difference > 0 || (difference === 0 && precedes(document, other));
    });
    return best.map((document) => ({
      document,
      score: scores[document] as number,
      matched: this.#matchedIn(document, matching),
    }));
  }

  /**
   * Returns the indexed words that a word of a query may stand for, with their weights, as far as there is time left.
   */
  #matchesOf(word: string, left: { looked: number; read: number }): Map<number, number> {
    const matches = new Map<number, number>();
    const exact = this.#index.numberOf(word);
    const rarity = exact === undefined ? Number.POSITIVE_INFINITY : this.#rarity(exact);
    const add = (match: string, weight: number): void => {
      const number = this.#index.numberOf(match) as number;
      if (!matches.has(number) && !this.#takes(number, left)) return;
      // A rare word that merely resembles the one asked for must not weigh more than that.
      const value = weight * Math.min(rarity, this.#rarity(number));
      if (value > (matches.get(number) ?? 0)) matches.set(number, value);
    };
    if (exact !== undefined && this.#takes(exact, left)) matches.set(exact, rarity);
    let beginning = 0;
    for (const match of this.#vocabulary.beginningWith(word)) {
      if (++beginning > MAX_BEGINNING) break;
      add(match, PREFIX_WEIGHT + (PREFIX_SHARE_WEIGHT * word.length) / match.length);
    }
    const typos = this.#vocabulary.oneTypoFrom(word, left.looked);
    left.looked -= typos.looked;
    for (const match of typos.found) add(match, TYPO_WEIGHT);
    return matches;
  }

  /** Whether there is time left to read the postings of a word. */
  #takes(word: number, left: { read: number }): boolean {
    const { length } = this.#index.postingsOf(word);
    if (length > left.read) return false;
    left.read -= length;
    return true;
  }

  #rarity(word: number): number {
    const having = this.#index.postingsOf(word).length;
    return rarity(this.#documents, having);
  }

  #saturation(document: number, frequency: number): number {
    const average = this.#totalLength / this.#documents;
    return saturation(frequency, (this.#lengths[document] as number) / average, BM25);
  }

  #matchedIn(document: number, matching: ReadonlySet<number>): string[] {
    const words: string[] = [];
    for (const content of this.#index.contentsOf(document)) {
      if (words.length === MAX_MATCHED) break;
      if (matching.has(termIn(content))) words.push(this.#index.nameOf(termIn(content)));
    }
    return words;
  }
}

/** Returns the weight of each word, and the number of words. */
function* weigh(fields: readonly Field[]): Steps<{ weights: Map<string, number>; length: number }> {
  const weights = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of fields) {
    const words = yield* wordsInPieces(text, wordsOf);
    length += words.length;
    for (const word of words) {
      const before = weights.get(word);
      if (before !== undefined || weights.size < MAX_WORDS) weights.set(word, (before ?? 0) + weight);
    }
  }
  return { weights, length };
}
