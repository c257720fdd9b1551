import { type Asks, askedIn, asksOf, givenWords, quotedCodeWords } from "./asks.ts";
import { type Demands, demandsOf } from "./demands.ts";

/** How hard a task reads, from its words alone. */
export interface Difficulty {
  /** 0 to 1; only the order means something. */
  score: number;
  words: number;
  /** Number of words that relate one quantity to another: twice, as many, the rest, older, than, a third. */
  relations: number;
  asks: Asks;
  /** Words that show a request to be hard or easy, whatever its length: deadlock, without downtime, typo. */
  signs: string[];
  /** Whether such prompts were measured. If it is unknown, the score says little. */
  basis: "measured" | "presumed" | "unknown";
}

/**
 * People fail most at "compare" problems, which give one quantity relative to another (Riley, Greeno and
 * Heller 1983; Hegarty, Mayer and Monk 1995). So do smaller models.
 */
const RELATION =
  /\b(?:than|twice|half|halves|(?:double|triple)[ds]?|quarters?|thirds?|fifths?|tenths?|times (?:as|more|less)|as (?:many|much|old|long|far|fast)|more|less|fewer|older|younger|longer|shorter|taller|faster|slower|cheaper|same|equal(?:ly)?|ratio|rest|remaining|remainder|left|percent|fractions?|proportion\w*)\b|%|\b\d+\/\d+/gi;
const WORD = /[\p{L}\p{M}]+/gu;
const GAPLESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/gu;

const OF_RELATIONS = 0.7;
const OF_LONG_WORDS = 0.1;
/** Load of a task that is neither easy nor hard: about forty words with one relation. */
const MIDDLE = 4.75;

/**
 * How much harder smaller models find each class than arithmetic with as many words, in logits. Presumed from
 * published benchmarks of each kind, where formal mathematics and programs score far below reading and
 * rewriting.
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
/** What is asked of an assistant, rather than set as an exercise: its demands count, and its length then counts half. */
const REQUESTS: ReadonlySet<Asks> = new Set(["code", "transformation", "question", "unknown"]);
const OF_LENGTH_BESIDE_DEMANDS = 0.5;
const NO_DEMANDS: Demands = { logits: 0, signs: [] };
/** Share of given text that counts towards the load. */
const OF_GIVEN = 0.1;
/** Most words that the other turns of a conversation add to the load: instructions for every request say little of this one. */
const MAX_OTHER_TURNS = 15;
/** Presumed number of words in a prompt that say what to do with a text. */
const TOLD = 40;
/** Share of words in other than Latin letters above which a prompt is not classified. */
const FOREIGN = 0.3;

/**
 * Rates a prompt. The words to keep in mind and the relations count by their logarithms, the mean length of
 * words linearly.
 */
export function difficultyOf(whole: string): Difficulty {
  const prompt = askedIn(whole);
  const words = wordsOf(whole);
  const said = wordsOf(prompt);
  const relations = prompt.match(RELATION)?.length ?? 0;
  const letters = prompt.match(WORD) ?? [];
  const asks = asksOf(prompt, { relations, isLatin: isLatin(letters) });
  const given = givenIn(prompt, asks, said);
  const kept = said - given + OF_GIVEN * given + Math.min(OF_GIVEN * (words - said), MAX_OTHER_TURNS);
  const length = letters.reduce((sum, word) => sum + word.length, 0) / Math.max(1, letters.length);
  const load =
    Math.log(1 + kept) + OF_RELATIONS * Math.log(1 + relations) + OF_LONG_WORDS * Math.min(length, 12);
  const { logits, signs } = REQUESTS.has(asks) ? demandsOf(prompt) : NO_DEMANDS;
  const longer = (load - MIDDLE) * (signs.length > 0 ? OF_LENGTH_BESIDE_DEMANDS : 1);
  const score = 1 / (1 + Math.exp(-longer - HARDER[asks] - logits));
  const isUnknown = asks === "unknown" && signs.length === 0;
  const basis = asks === "arithmetic" ? "measured" : isUnknown ? "unknown" : "presumed";
  return { score, words, relations, asks, signs, basis };
}

function givenIn(prompt: string, asks: Asks, words: number): number {
  if (asks === "code") return Math.min(words, quotedCodeWords(prompt));
  const isToBeRead = asks === "reading" || asks === "transformation";
  return Math.min(words, Math.max(givenWords(prompt), isToBeRead ? words - TOLD : 0));
}

function isLatin(words: readonly string[]): boolean {
  const foreign = words.filter((word) => !/\p{sc=Latin}/u.test(word)).length;
  return foreign <= FOREIGN * words.length;
}

/** Counts words between spaces. In scripts without spaces, two characters count as a word. */
function wordsOf(text: string): number {
  const gapless = text.match(GAPLESS)?.length ?? 0;
  const spaced = text.replace(GAPLESS, " ").match(/\S+/g)?.length ?? 0;
  return spaced + Math.ceil(gapless / 2);
}
