import type { Input, Output } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import { defined } from "../../system/defined.ts";
import { termsOf } from "../../text/terms.ts";
import { loadTokenizer, type Tokenizer } from "../../text/tokens/tokenizer.ts";
import type { contextOptimizerContract, Segment } from "./contract.ts";
import { fill } from "./fill.ts";
import { gapsOf } from "./gaps.ts";
import { kindOfPath, kindsOf } from "./kinds.ts";
import { type Printed, printed } from "./printed.ts";
import { rank } from "./relevance/ranking.ts";
import { redundanciesOf } from "./relevance/redundancy.ts";
import { recordStarts } from "./retrieval/records.ts";
import { search } from "./retrieval/search.ts";
import { searchedFiles, wholePieces } from "./retrieval/whole-pieces.ts";
import { type Unit, unitsOf } from "./units.ts";

type OptimizeInput = Input<typeof contextOptimizerContract.optimize>;
type Answer = Output<typeof contextOptimizerContract.optimize>;

/** Maximum length of a unit, in characters, so that nothing kept or dropped as a whole outweighs the budget. */
const MAX_UNIT_LENGTH = 8000;
const MIN_UNIT_LENGTH = 1000;
const CHARACTERS_A_TOKEN = 4;
/** A budget below this share of everything is spent on the best pieces as a whole, rather than on the best of each. */
const WHOLE_PIECES_MAX_SHARE = 0.25;
/** The smallest budget that is spent on whole functions and sections, of which hardly one would fit into less. */
const MIN_WHOLE_TOKENS = 500;

/**
 * Fits segments into a budget. Runs in a worker, since the time it takes grows with the context.
 *
 * @param worth the scores of the pieces of all segments, in order, if these were ranked among more
 */
export async function optimize(input: OptimizeInput, worth?: Float64Array): Promise<Answer> {
  const tokenizer = await loadTokenizer(input.tokenizer);
  const segments: Segment[] = input.segments ?? [
    { id: "", content: input.content as string, priority: 0, pinned: false },
  ];
  const all = printedWhole(segments, input.headings ?? false);
  const before = tokenizer.count(all);
  const budget =
    "maxTokens" in input.budget ? input.budget.maxTokens : Math.floor(before * input.budget.ratio);
  if (before <= budget) {
    const whole = segments.map(({ id, content }) => ({ id, content, whole: true }));
    const given = { left: whole, before, after: before, dropped: [], method: "unchanged" as const };
    return answer(input, { ...given, ...(input.headings && { text: all }) });
  }
  const longest = Math.min(MAX_UNIT_LENGTH, Math.max(MIN_UNIT_LENGTH, CHARACTERS_A_TOKEN * budget));
  const isFew = budget <= WHOLE_PIECES_MAX_SHARE * before;
  const isWhole = worth !== undefined || (isFew && isStructured(segments, budget));
  const cut = isWhole ? cutWhole : cutFine;
  const choiceOf = (longest: number) =>
    choose(
      cut({ query: input.query, segments, longest, worth }),
      segments,
      { budget, headings: input.headings ?? false },
      tokenizer,
    );
  // If no piece fits, smaller ones are made: Chinese characters may have several tokens each. Into a budget of none, as
  // a share of a short text may be, nothing fits.
  const { units, costs, kept, redundancies, method, print } = [budget, budget >> 2].reduce(
    (choice, shorter) => (choice.kept.size > 0 || shorter === 0 ? choice : choiceOf(shorter)),
    choiceOf(longest),
  );
  const contents = segments.map(() => "");
  for (const [index, { segment, text }] of units.entries()) if (kept.has(index)) contents[segment] += text;
  const left = segments.flatMap(({ id, content }, index) => {
    const text = contents[index] as string;
    return text === "" && content !== "" ? [] : [{ id, content: text, whole: text === content }];
  });
  const text = print.text(kept);
  const after = tokenizer.count(text);
  const dropped = gapsOf(units, costs, kept, redundancies).map(
    ({ segment, text: gone, reason, preview }) => ({
      ...(input.segments && { id: (segments[segment] as Segment).id }),
      // As a whole, since pieces that are counted one by one have more tokens than together.
      tokens: tokenizer.count(gone),
      reason,
      preview,
    }),
  );
  return answer(input, { left, before, after, dropped, method, ...(input.headings && { text }) });
}

/** Returns the text as it would be printed if all of it were kept. */
function printedWhole(segments: readonly Segment[], headings: boolean): string {
  const units = segments.flatMap(({ content: text }, segment) => (text === "" ? [] : [{ text, segment }]));
  return printed(units, segments, headings).text(new Set(units.keys()));
}

interface ToCut {
  query: string | undefined;
  segments: readonly Segment[];
  /** Maximum length of a unit, in characters. */
  longest: number;
  worth: Float64Array | undefined;
}

interface Cut {
  units: readonly Unit[];
  scores: Float64Array;
  method: string;
}

/** Cuts into sentences, turns, lines and blocks, to keep the best of each part. */
function cutFine({ query, segments, longest }: ToCut): Cut {
  const units = unitsOf(segments, longest);
  return { units, ...rank(units, query) };
}

/** Cuts into functions, records and sections, each kept or dropped as a whole. */
function cutWhole({ query, segments, longest, worth }: ToCut): Cut {
  const units = wholePieces(segments, kindsOf(segments), longest);
  // A file that changed since has other pieces, and a small budget makes smaller ones.
  if (worth?.length === units.length) return { units, scores: worth, method: "retrieval" };
  if (query === undefined || query.trim() === "") {
    const described = units.map((unit) => ({ ...unit, terms: termsOf(unit.text) }));
    return { units, ...rank(described, undefined) };
  }
  const { pieces } = search(searchedFiles(segments, units), query);
  return { units, scores: pieces, method: "retrieval" };
}

/**
 * Whether most of it is code, data or documentation files, where single lines say little. For a small budget, only data
 * counts of which some records fit.
 */
function isStructured(segments: readonly Segment[], budget: number): boolean {
  const kinds = kindsOf(segments);
  let structured = 0;
  let all = 0;
  for (const [index, { id, content }] of segments.entries()) {
    const kind = kinds[index];
    all += content.length;
    const isFile = kind === "code" || kind === "json" || (kind === "prose" && kindOfPath(id));
    if (budget >= MIN_WHOLE_TOKENS ? isFile : kind === "json" && hasRecordsFor(content, budget))
      structured += content.length;
  }
  return structured > all / 2;
}

function hasRecordsFor(text: string, budget: number): boolean {
  return text.length / recordStarts(text).length <= (CHARACTERS_A_TOKEN * budget) / 2;
}

function choose(
  { units, scores, method }: Cut,
  segments: readonly Segment[],
  { budget, headings }: { budget: number; headings: boolean },
  tokenizer: Tokenizer,
) {
  const texts = units.map(({ text }) => text);
  const costs = texts.map((text) => tokenizer.count(text));
  const print = printed(units, segments, headings);
  const pinned = pinnedUnits(units, segments, print, budget, tokenizer);
  const redundancies = redundanciesOf(units);
  const priority = (unit: number) => (segments[print.segmentOf(unit)] as Segment).priority;
  const order = [...units.keys()].sort(
    (a, b) =>
      priority(b) - priority(a) ||
      Number(redundancies[a] !== undefined) - Number(redundancies[b] !== undefined) ||
      (scores[b] as number) - (scores[a] as number) ||
      a - b,
  );
  const hasText = (unit: number) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(texts[unit] as string);
  const speaking = order.filter(hasText);
  const chosen = fill(print, costs, speaking.length > 0 ? speaking : order, pinned, budget, tokenizer);
  // A brace or a rule alone says nothing. Between two kept units it is kept, since it connects them.
  const isBetweenKept = (unit: number, beside: number) =>
    chosen.has(beside) && print.segmentOf(beside) === print.segmentOf(unit);
  const between = order.filter(
    (unit) => !hasText(unit) && isBetweenKept(unit, unit - 1) && isBetweenKept(unit, unit + 1),
  );
  const kept = fill(print, costs, between, chosen, budget, tokenizer);
  return { units, costs, redundancies, method, kept, print };
}

function pinnedUnits(
  units: readonly Unit[],
  segments: readonly Segment[],
  print: Printed,
  budget: number,
  { count }: Tokenizer,
): Set<number> {
  const pinned = new Set(
    [...units.keys()].filter((unit) => (segments[print.segmentOf(unit)] as Segment).pinned),
  );
  const tokens = count(print.text(pinned));
  if (tokens <= budget) return pinned;
  throw new Problem(
    "unprocessable",
    `The pinned segments have ${tokens} tokens, the budget ${budget}. Pin less, or allow more.`,
    { members: { pinnedTokens: tokens, budgetTokens: budget } },
  );
}

interface Result {
  left: NonNullable<Answer["segments"]>;
  before: number;
  after: number;
  dropped: Answer["dropped"];
  method: string;
  text?: string;
}

function answer({ segments }: OptimizeInput, { left, before, after, dropped, method, text }: Result): Answer {
  const ratio = before === 0 ? 1 : Math.round((1e4 * after) / before) / 1e4;
  return {
    ...(segments ? { segments: left } : { content: left[0]?.content ?? "" }),
    ...defined({ text }),
    // Tokens may split where pieces meet, so that there can be more than before.
    tokens: { before, after, saved: Math.max(0, before - after), ratio },
    dropped,
    method,
  };
}
