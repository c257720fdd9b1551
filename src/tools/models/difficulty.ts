/** How hard a task reads, from its words alone. */
export interface Difficulty {
  /** 0 to 1; only the order means something. */
  score: number;
  words: number;
  /** Words that tell a quantity by another: twice, as many, the rest, older, than, a third. */
  relations: number;
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

/** More to keep in mind, more relations and longer words make it harder, each by its logarithm. */
export function difficultyOf(prompt: string): Difficulty {
  const words = wordsOf(prompt);
  const relations = prompt.match(RELATION)?.length ?? 0;
  const letters = prompt.match(WORD) ?? [];
  const length = letters.reduce((sum, word) => sum + word.length, 0) / Math.max(1, letters.length);
  const load =
    Math.log(1 + words) + OF_RELATIONS * Math.log(1 + relations) + OF_LONG_WORDS * Math.min(length, 12);
  return { score: 1 / (1 + Math.exp(MIDDLE - load)), words, relations };
}

/** Between spaces; where a script has none, two characters are about a word. */
function wordsOf(text: string): number {
  const gapless = text.match(GAPLESS)?.length ?? 0;
  const spaced = text.replace(GAPLESS, " ").match(/\S+/g)?.length ?? 0;
  return spaced + Math.ceil(gapless / 2);
}
