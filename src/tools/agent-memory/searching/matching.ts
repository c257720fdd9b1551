import { saturation as bm25Saturation, rarity } from "../../../text/search/bm25.ts";
import { documentIn, type InvertedIndex, weightIn } from "../../../text/search/inverted-index.ts";
import { NONE, type Threads } from "./threads.ts";

/**
 * BM25 parameters (Robertson and Zaragoza 2009, §3.1). Messages in a thread are short and rarely repeat
 * themselves, so their length does not count and a second mention counts little.
 */
const SAID = { k1: 0.4, b: 0 };
const WRITTEN = { k1: 2, b: 0.75 };
/** Weights of a memory's words in those that follow it in its thread, by distance. */
const LENT_ONWARDS = [0.5, 0.3, 0.15];
/** Weights of a memory's words in those before it in its thread, by distance. */
const LENT_BACK = [0.3, 0.1];
/** A question's words count fully in its answer. */
const LENT_BY_QUESTION = 1;
/** Maximum number of postings read for one query, rarest words first. Bounds its time. Those of the rarest are always read. */
const MAX_READ = 200_000;

/** Weights by the terms' numbers. */
export type Query = ReadonlyMap<number, number>;

/** The terms of a query: its own words, and related ones. */
export interface Asked {
  /** For short memories outside threads. Related words may be the only ones by which they can be found. */
  inShort: Query;
  /** For documents and memories in threads, which have more words to be found by. */
  inContext: Query;
}

/** Length from which a text is a fair sample of its subject's words. Shorter texts are scored by matches alone. */
const MIN_DOCUMENT_LENGTH = 25;

/** Whether a memory is in no thread and is long enough to show what it is about. */
export function isDocument({ index, threads }: Corpus, memory: number): boolean {
  return !threads.has(memory) && index.lengthOf(memory) >= MIN_DOCUMENT_LENGTH;
}

export interface Corpus {
  index: InvertedIndex;
  threads: Threads;
  asksQuestion(memory: number): boolean;
  /** Number of memories. */
  count: number;
  /** Number and total length of the memories in no thread. */
  written: { count: number; length: number };
  /** Exclusive upper bound of the memories' numbers. */
  end: number;
}

/** Scores by memory, 0 without a match; `found` lists the memories that match. */
export interface Scores {
  scores: Float64Array;
  found: Int32Array;
}

/**
 * Computes the BM25 scores of all memories that hold a term of the query, or are lent one by a neighbour in
 * their thread.
 */
export function match(corpus: Corpus, { inShort, inContext }: Asked): Scores {
  const { index, threads, end } = corpus;
  const scores = new Float64Array(end);
  const found = new Int32Array(end);
  const lent = new TermFrequencies(corpus);
  let count = 0;
  let read = 0;
  const score = (memory: number, gained: number) => {
    if (gained === 0) return;
    if (scores[memory] === 0) found[count++] = memory;
    scores[memory] = (scores[memory] as number) + gained;
  };
  for (const [term, weight] of rarestFirst(index, inShort)) {
    const postings = index.postingsOf(term);
    if (read > 0 && read + postings.length > MAX_READ) break;
    read += postings.length;
    const rarity = rarityOf(corpus, term);
    const gain = weight * rarity;
    const gainInContext = (inContext.get(term) ?? 0) * rarity;
    for (const posting of postings) {
      const memory = documentIn(posting);
      const frequency = weightIn(posting);
      if (threads.has(memory)) {
        lent.add(memory, frequency);
        lent.raiseAround(memory, frequency);
      } else {
        const gains = index.lengthOf(memory) >= MIN_DOCUMENT_LENGTH ? gainInContext : gain;
        score(memory, gains * saturation(corpus, memory, frequency));
      }
    }
    lent.flush((memory, frequency) => score(memory, gainInContext * saturation(corpus, memory, frequency)));
  }
  return { scores, found: found.subarray(0, count) };
}

/** Frequencies of one term by memory, including what neighbours in threads lend. */
class TermFrequencies {
  readonly #corpus: Corpus;
  readonly #frequencies: Float64Array;
  readonly #raised: Int32Array;
  #count = 0;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
    this.#frequencies = new Float64Array(corpus.end);
    this.#raised = new Int32Array(corpus.end);
  }

  add(memory: number, by: number): void {
    const before = this.#frequencies[memory] as number;
    if (before === 0) this.#raised[this.#count++] = memory;
    this.#frequencies[memory] = before + by;
  }

  raiseAround(memory: number, frequency: number): void {
    const { threads } = this.#corpus;
    let next = threads.after(memory);
    for (let distance = 0; next !== NONE && distance < LENT_ONWARDS.length; distance++) {
      const toAnswer = distance === 0 && this.#corpus.asksQuestion(memory);
      this.add(next, frequency * (toAnswer ? LENT_BY_QUESTION : (LENT_ONWARDS[distance] as number)));
      next = threads.after(next);
    }
    let previous = threads.before(memory);
    for (let distance = 0; previous !== NONE && distance < LENT_BACK.length; distance++) {
      this.add(previous, frequency * (LENT_BACK[distance] as number));
      previous = threads.before(previous);
    }
  }

  /** Passes each raised frequency to `take`, and resets all. */
  flush(take: (memory: number, frequency: number) => void): void {
    for (let at = 0; at < this.#count; at++) {
      const memory = this.#raised[at] as number;
      const frequency = this.#frequencies[memory] as number;
      this.#frequencies[memory] = 0;
      take(memory, frequency);
    }
    this.#count = 0;
  }
}

export function rarityOf({ index, count }: Corpus, term: number): number {
  const having = index.postingsOf(term).length;
  return rarity(count, having);
}

export function saturation({ index, threads, written }: Corpus, memory: number, frequency: number): number {
  if (threads.has(memory)) return bm25Saturation(frequency, 1, SAID);
  return bm25Saturation(frequency, (index.lengthOf(memory) * written.count) / written.length, WRITTEN);
}

function rarestFirst(index: InvertedIndex, query: Query): [term: number, weight: number][] {
  const having = (term: number) => index.postingsOf(term).length;
  return [...query].sort(([a], [b]) => having(a) - having(b) || a - b);
}
