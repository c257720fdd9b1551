import { isAboutPrograms } from "./programming.ts";

/** What a prompt can ask for, judged by its words. */
export const ASKS = [
  "arithmetic",
  "mathematics",
  "code",
  "choice",
  "reading",
  "transformation",
  "question",
  "unknown",
] as const;
export type Asks = (typeof ASKS)[number];

const CODE_TO_WRITE =
  /\b(?:write|implement|complete|create|develop|fix|debug|refactor|optimi[sz]e)\b[^.?!\n]{0,80}\b(?:function|program|code|script|class|method|algorithm|quer(?:y|ies)|regex|unit tests?|bug|endpoint|component)\b|^[ \t]*(?:(?:def|class|function) \w+|import \w+|from \S+ import|#include|public (?:static|class))\b|```|\b(?:stdin|stdout|time limit|time complexity)\b/im;
const FORMULA =
  /\\(?:frac|sqrt|sum|int|cdot|leq?|geq?|times|text|mathbb)\b|\$[^$\n]{0,100}[\\^_={}][^$\n]{0,100}\$|[a-z]\^\d|\b[xyz]\s*=\s*[-\d(]/i;
const MATHEMATICS =
  /\b(?:prove|proof|theorem|polynomials?|integers?|primes?|modulo|divisible|derivatives?|integral|matrix|matrices|vectors?|eigen\w+|triangles?|perpendicular|congruent|logarithms?|sin|cos|tan|permutations?|combinatori\w+|quadratic|equations?|isomorphi\w+|homomorphism|bijecti\w+)\b/gi;
const OPTION = /(?:^|\s)\(?([A-D])[).:]\s/g;
const TRANSFORMATION =
  /^(?:please\s+|can you\s+|could you\s+)?(?:translate|summari[sz]e|classify|extract|rewrite|rephrase|paraphrase|proofread|convert|list|label|tag|shorten|correct)\b|\b(?:sentiment|translat(?:e|ion) (?:of|to|into|from)|summary of|is (?:it|this) (?:positive|negative|spam))\b/im;
const GIVEN =
  /^[ \t]{0,8}(?:#{1,6}[ \t]{1,8})?(?:context|passage|article|text|document|paragraph|story|transcript|excerpt|background|dialogue|input)[ \t]{0,8}:/im;
const INTERROGATIVE = /\b(?:who|what|which|when|where|why|how|is|are|does|do|can|could|should)\b/i;
const QUANTITY =
  /\b\d[\d,.]*\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|half|twice|third)\b/gi;
const HOW_MUCH =
  /\bhow (?:many|much|long|old|far|fast|tall|often)\b|\bwhat (?:is|was|are|percentage)\b|\bfind\b|\bcalculate\b|\?/i;
/** Number of words above which a paragraph is given text rather than a question. */
const MANY_WORDS = 80;

interface Words {
  /** Number of words that relate one quantity to another. */
  relations: number;
  /** Whether most are written in Latin letters. */
  isLatin: boolean;
}

/**
 * Classifies a prompt; the first class that fits wins. Difficulty was measured for arithmetic alone and is
 * presumed for the other classes.
 */
export function asksOf(prompt: string, { relations, isLatin }: Words): Asks {
  if (!isLatin || prompt.trim() === "") return "unknown";
  if (CODE_TO_WRITE.test(prompt)) return "code";
  if (!isFormal(prompt) && isAboutPrograms(prompt)) return "code";
  if (TRANSFORMATION.test(prompt)) return "transformation";
  if (isFormal(prompt)) return "mathematics";
  if (new Set(Array.from(prompt.matchAll(OPTION), ([, letter]) => letter)).size >= 3) return "choice";
  if (GIVEN.test(prompt) || givenWords(prompt) > MANY_WORDS) return "reading";
  const isQuantified = (prompt.match(QUANTITY)?.length ?? 0) >= 2;
  if (isQuantified && (relations >= 2 || HOW_MUCH.test(prompt))) return "arithmetic";
  return prompt.includes("?") && INTERROGATIVE.test(prompt) ? "question" : "unknown";
}

function isFormal(prompt: string): boolean {
  const words = new Set((prompt.match(MATHEMATICS) ?? []).map((word) => word.toLowerCase()));
  return (
    words.size >= 2 || (FORMULA.test(prompt) && words.size >= 1) || /\\(?:frac|sqrt|sum|int)\b/.test(prompt)
  );
}

/** The beginning of a turn in the transcript of a conversation: `User:`, `### Instruction:`, `<|user|>`. */
const TURN =
  /^[ \t]{0,8}(?:#{1,6}[ \t]{1,8}|<\|?|\*\*)?(system|developer|user|human|instructions?|assistant|ai|tool(?:[_ -](?:call|result|output))?)(?:\|?>|\*\*)?[ \t]{0,8}(?::|(?<=\|?>)|$)/gim;
const ASKING = /^(?:user|human|instruction)/i;

/** Returns what a prompt asks in the end: the last turn of the user where it is a transcript, else all of it. */
export function askedIn(prompt: string): string {
  const turns = [...prompt.matchAll(TURN)];
  const place = turns.findLastIndex(([, who]) => ASKING.test(who as string));
  const last = turns[place];
  if (turns.length < 2 || !last) return prompt;
  const asked = prompt.slice(last.index + last[0].length, turns[place + 1]?.index);
  return asked.trim() === "" ? prompt : asked;
}

/** Counts the words of long blocks of code that a prompt quotes. */
export function quotedCodeWords(prompt: string): number {
  const blocks = prompt.split(/^[ \t]{0,8}```.*$/m).filter((_, at) => at % 2 === 1);
  const counts = blocks.map((block) => block.match(/\S+/g)?.length ?? 0);
  return counts.reduce((sum, count) => sum + (count > MANY_WORDS ? count : 0), 0);
}

/** Counts the words of given text: paragraphs longer than a question, in a prompt of several paragraphs. */
export function givenWords(prompt: string): number {
  const paragraphs = prompt.split(/\n\s*\n|\n(?=\s*(?:question|q)\s*:)/i);
  if (paragraphs.length < 2) return 0;
  const counts = paragraphs.map((paragraph) => paragraph.match(/\S+/g)?.length ?? 0);
  return counts.reduce((sum, count) => sum + (count > MANY_WORDS ? count : 0), 0);
}
