import { documentIn, type InvertedIndex, weightIn } from "./inverted-index.ts";
import type { Threads } from "./threads.ts";

/**
 * BM25 (Robertson and Zaragoza 2009, §3.1). What is said in a thread is short and rarely repeats itself:
 * there length says nothing and a second mention little.
 */
const SAID = { k1: 0.4, b: 0 };
const WRITTEN = { k1: 2, b: 0.75 };
/** What a memory's words count in those that follow it in its thread, and in those before it. */
const LENT_ONWARDS = [0.5, 0.3, 0.15];
const LENT_BACK = [0.3, 0.1];
/** A question's words count fully in its answer. */
const LENT_BY_QUESTION = 1;
/** Postings read for one query, the rarest words first: what bounds its time. */
const MOST_READ = 400_000;

/** Terms by number, and what each weighs. */
export type Query = ReadonlyMap<number, number>;

export interface Corpus {
  index: InvertedIndex;
  threads: Threads;
  asksQuestion(memory: number): boolean;
  /** Memories there are. */
  count: number;
  /** Those in no thread, and their lengths together. */
  written: { count: number; length: number };
  /** All memories' numbers are below. */
  end: number;
}

/** Scores by memory, 0 where nothing matches; `found` are those with one. */
export interface Scores {
  scores: Float64Array;
  found: number[];
}

/** BM25 of every memory that holds a term of the query, or that a neighbour in its thread lends one. */
export function match(corpus: Corpus, query: Query): Scores {
  const { index, threads, end } = corpus;
  const scores = new Float64Array(end);
  const frequencies = new Float64Array(end);
  const found: number[] = [];
  let raised: number[] = [];
  const raise = (memory: number, by: number): void => {
    if (frequencies[memory] === 0) raised.push(memory);
    frequencies[memory] = (frequencies[memory] as number) + by;
  };
  let left = MOST_READ;
  for (const [term, weight] of rarestFirst(index, query)) {
    const postings = index.postingsOf(term);
    left -= postings.length;
    if (left < 0) break;
    raised = [];
    for (const posting of postings) {
      const memory = documentIn(posting);
      raise(memory, weightIn(posting));
      if (threads.has(memory)) lend(corpus, memory, weightIn(posting), raise);
    }
    const rarity = rarityOf(corpus, term);
    for (const memory of raised) {
      const gain = weight * rarity * saturation(corpus, memory, frequencies[memory] as number);
      frequencies[memory] = 0;
      if (scores[memory] === 0) found.push(memory);
      scores[memory] = (scores[memory] as number) + gain;
    }
  }
  return { scores, found };
}

function lend(
  corpus: Corpus,
  memory: number,
  frequency: number,
  raise: (memory: number, by: number) => void,
): void {
  const { threads } = corpus;
  let next = threads.after(memory);
  for (let distance = 0; next !== undefined && distance < LENT_ONWARDS.length; distance++) {
    const toAnswer = distance === 0 && corpus.asksQuestion(memory);
    raise(next, frequency * (toAnswer ? LENT_BY_QUESTION : (LENT_ONWARDS[distance] as number)));
    next = threads.after(next);
  }
  let previous = threads.before(memory);
  for (let distance = 0; previous !== undefined && distance < LENT_BACK.length; distance++) {
    raise(previous, frequency * (LENT_BACK[distance] as number));
    previous = threads.before(previous);
  }
}

export function rarityOf({ index, count }: Corpus, term: number): number {
  const having = index.postingsOf(term).length;
  return Math.log(1 + (count - having + 0.5) / (having + 0.5));
}

export function saturation({ index, threads, written }: Corpus, memory: number, frequency: number): number {
  const { k1, b } = threads.has(memory) ? SAID : WRITTEN;
  const length = b === 0 ? 1 : 1 - b + (b * index.lengthOf(memory) * written.count) / written.length;
  return (frequency * (k1 + 1)) / (frequency + k1 * length);
}

function rarestFirst(index: InvertedIndex, query: Query): [term: number, weight: number][] {
  const having = (term: number) => index.postingsOf(term).length;
  return [...query].sort(([a], [b]) => having(a) - having(b) || a - b);
}
