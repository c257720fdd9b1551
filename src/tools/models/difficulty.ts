import { type Asks, asksOf, givenWords } from "./asks.ts";

/** How hard a task reads, from its words alone. */
export interface Difficulty {
  /** 0 to 1; only the order means something. */
  score: number;
  words: number;
  /** Words that tell a quantity by another: twice, as many, the rest, older, than, a third. */
  relations: number;
  asks: Asks;
  /** Whether prompts that ask for the like were measured; of what is unknown the score says little. */
  basis: "measured" | "presumed" | "unknown";
}

/**
 * "Compare" problems, in which a quantity is told by another, are what people fail at most (Riley,
 * Greeno and Heller 1983; Hegarty, Mayer and Monk 1995); so do smaller models.
 */
const RELATION =
  /\b(?:than|twice|half|halves|(?:double|triple)[ds]?|quarters?|thirds?|fifths?|tenths?|times (?:as|more|less)|as (?:many|much|old|long|far|fast)|more|less|fewer|older|younger|longer|shorter|taller|faster|slower|cheaper|same|equal(?:ly)?|ratio|rest|remaining|remainder|left|percent|fractions?|proportion\w*)\b|%|\b\d+\/\d+/gi;
const WORD = /[\p{L}\p{M}]+/gu;
const GAPLESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/gu;

const OF_RELATIONS = 0.7;
const OF_LONG_WORDS = 0.1;
/** What makes a task neither easy nor hard: some forty words with a relation. */
const MIDDLE = 4.75;

/**
 * How much harder than arithmetic with as many words, in logits, smaller models find what is asked: presumed from
 * what published benchmarks of each kind show (formal mathematics and programs far below reading and rewriting).
 */
const HARDER: Record<Asks, number> = {
  mathematics: 1.5,
  code: 1,
  arithmetic: 0,
  choice: 0,
  question: 0,
  unknown: 0,
  reading: -1,
  transformation: -1.5,
};
/** Of what is only to be read, so much is kept in mind. */
const OF_GIVEN = 0.1;
/** So many words say what is to be done with a text. */
const TOLD = 40;
/** Words that are not in Latin letters, among all: from here on the words are not understood. */
const FOREIGN = 0.3;

/** More to keep in mind, more relations and longer words make it harder, each by its logarithm. */
export function difficultyOf(prompt: string): Difficulty {
  const words = wordsOf(prompt);
  const relations = prompt.match(RELATION)?.length ?? 0;
  const letters = prompt.match(WORD) ?? [];
  const asks = asksOf(prompt, { relations, isLatin: isLatin(letters) });
  const given = givenIn(prompt, asks, words);
  const kept = words - given + OF_GIVEN * given;
  const length = letters.reduce((sum, word) => sum + word.length, 0) / Math.max(1, letters.length);
  const load =
    Math.log(1 + kept) + OF_RELATIONS * Math.log(1 + relations) + OF_LONG_WORDS * Math.min(length, 12);
  const score = 1 / (1 + Math.exp(MIDDLE - load - HARDER[asks]));
  const basis = asks === "arithmetic" ? "measured" : asks === "unknown" ? "unknown" : "presumed";
  return { score, words, relations, asks, basis };
}

function givenIn(prompt: string, asks: Asks, words: number): number {
  if (asks === "code") return 0;
  const isToBeRead = asks === "reading" || asks === "transformation";
  return Math.min(words, Math.max(givenWords(prompt), isToBeRead ? words - TOLD : 0));
}

function isLatin(words: readonly string[]): boolean {
  const foreign = words.filter((word) => !/\p{sc=Latin}/u.test(word)).length;
  return foreign <= FOREIGN * words.length;
}

/** Between spaces; where a script has none, two characters are about a word. */
function wordsOf(text: string): number {
  const gapless = text.match(GAPLESS)?.length ?? 0;
  const spaced = text.replace(GAPLESS, " ").match(/\S+/g)?.length ?? 0;
  return spaced + Math.ceil(gapless / 2);
}
