import type { Input, Output } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import { loadTokenizer, type Tokenizer } from "../../text/tokenizer.ts";
import type { contextOptimizerContract, Segment } from "./contract.ts";
import { fill, joined } from "./fill.ts";
import { gapsOf } from "./gaps.ts";
import { rank } from "./relevance/ranking.ts";
import { redundanciesOf } from "./relevance/redundancy.ts";
import { type Unit, unitsOf } from "./units.ts";

type OptimizeInput = Input<typeof contextOptimizerContract.optimize>;
type Answer = Output<typeof contextOptimizerContract.optimize>;

/** Longer pieces are cut, in characters: nothing that is kept or dropped as a whole should outweigh the budget. */
const MAX_UNIT_LENGTH = 8000;
const MIN_UNIT_LENGTH = 1000;
const CHARACTERS_A_TOKEN = 4;

/** Runs on a worker thread: it computes for as long as the context is large. */
export async function optimize(input: OptimizeInput): Promise<Answer> {
  const tokenizer = await loadTokenizer(input.tokenizer);
  const segments: Segment[] = input.segments ?? [
    { id: "", content: input.content ?? "", priority: 0, pinned: false },
  ];
  const before = tokenizer.count(segments.map(({ content }) => content).join(""));
  const budget =
    "maxTokens" in input.budget ? input.budget.maxTokens : Math.floor(before * input.budget.ratio);
  if (before <= budget) {
    const whole = segments.map(({ id, content }) => ({ id, content, whole: true }));
    return answer(input, whole, before, before, [], "unchanged");
  }
  const longest = Math.min(MAX_UNIT_LENGTH, Math.max(MIN_UNIT_LENGTH, CHARACTERS_A_TOKEN * budget));
  const choice = choose(input.query, segments, budget, longest, tokenizer);
  // Where not one piece is small enough, smaller ones are made.
  const { units, costs, kept, redundancies, method } =
    choice.kept.size > 0 ? choice : choose(input.query, segments, budget, budget, tokenizer);
  const contents = segments.map(() => "");
  for (const [index, { segment, text }] of units.entries()) if (kept.has(index)) contents[segment] += text;
  const left = segments.flatMap(({ id, content }, index) => {
    const text = contents[index] as string;
    return text === "" && content !== "" ? [] : [{ id, content: text, whole: text === content }];
  });
  const after = tokenizer.count(left.map(({ content }) => content).join(""));
  const gaps = gapsOf(units, costs, kept, redundancies).map(({ segment, ...gap }) => ({
    ...(input.segments && { id: segments[segment]?.id as string }),
    ...gap,
  }));
  return answer(input, left, before, after, gaps, method);
}

function choose(
  query: string | undefined,
  segments: readonly Segment[],
  budget: number,
  longest: number,
  tokenizer: Tokenizer,
) {
  const units = unitsOf(segments, longest);
  const texts = units.map(({ text }) => text);
  const costs = texts.map((text) => tokenizer.count(text));
  const pinned = pinnedUnits(units, segments, texts, budget, tokenizer);
  const redundancies = redundanciesOf(units);
  const { scores, method } = rank(units, query);
  const priority = (unit: number) => segments[units[unit]?.segment ?? 0]?.priority ?? 0;
  const order = [...units.keys()].sort(
    (a, b) =>
      priority(b) - priority(a) ||
      Number(redundancies[a] !== undefined) - Number(redundancies[b] !== undefined) ||
      (scores[b] as number) - (scores[a] as number) ||
      a - b,
  );
  const says = (unit: number) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(texts[unit] as string);
  const speaking = order.filter(says);
  const told = fill(texts, costs, speaking.length > 0 ? speaking : order, pinned, budget, tokenizer);
  // A brace or a rule alone says nothing; between what is kept it holds that together.
  const holds = (unit: number, beside: number) =>
    told.has(beside) && units[beside]?.segment === units[unit]?.segment;
  const between = order.filter((unit) => !says(unit) && holds(unit, unit - 1) && holds(unit, unit + 1));
  const kept = fill(texts, costs, between, told, budget, tokenizer);
  return { units, costs, redundancies, method, kept };
}

function pinnedUnits(
  units: readonly Unit[],
  segments: readonly Segment[],
  texts: readonly string[],
  budget: number,
  { count }: Tokenizer,
): Set<number> {
  const pinned = new Set([...units.keys()].filter((unit) => segments[units[unit]?.segment ?? 0]?.pinned));
  const tokens = count(joined(texts, pinned));
  if (tokens <= budget) return pinned;
  throw new Problem(
    "unprocessable",
    `The pinned segments have ${tokens} tokens, the budget ${budget}. Pin less, or allow more.`,
    { members: { pinnedTokens: tokens, budgetTokens: budget } },
  );
}

function answer(
  { segments }: OptimizeInput,
  left: NonNullable<Answer["segments"]>,
  before: number,
  after: number,
  dropped: Answer["dropped"],
  method: string,
): Answer {
  const ratio = before === 0 ? 1 : Math.round((1e4 * after) / before) / 1e4;
  return {
    ...(segments ? { segments: left } : { content: left[0]?.content ?? "" }),
    tokens: { before, after, saved: before - after, ratio },
    dropped,
    method,
  };
}
