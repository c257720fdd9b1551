import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/system/clock.ts";
import { optimize } from "../../src/tools/context-optimizer/optimize.ts";
import { readRows } from "../data/rows.ts";

const DATA = "05-context";
const RATIOS = [0.1, 0.25, 0.5];
const BYTES = 1_000_000;

/**
 * Measures how much of the answers is kept at 10, 25 and 50 % of the tokens: the sentences that hold the answer
 * (XQuAD), and the words of the turns that people marked (QMSum). Then measures how long a megabyte takes.
 */
export async function run(): Promise<void> {
  await questions();
  await meetings("content");
  await meetings("segments");
  await speed();
}

const request = { tokenizer: "o200k_base" as const };

async function questions(): Promise<void> {
  const articles = readRows<{ context: string; qas: { question: string; answer: string; start: number }[] }>(
    DATA,
    "xquad_en_articles",
  );
  if (!articles) return;
  const survived = RATIOS.map(() => 0);
  let asked = 0;
  for (const { context, qas } of articles) {
    for (const { question, answer, start } of qas) {
      const needed = sentencesAround(context, start, start + answer.length);
      for (const [index, ratio] of RATIOS.entries()) {
        const { content = "", tokens } = await optimize({
          ...request,
          content: context,
          query: question,
          budget: { ratio },
        });
        if (tokens.after > Math.floor(tokens.before * ratio)) throw new Error("over the budget");
        if (needed.every((sentence) => content.includes(sentence))) (survived[index] as number)++;
      }
      asked++;
    }
  }
  report(
    "XQuAD, answers",
    survived.map((count) => count / asked),
    ".84 .96 .98, BM25 sentences .83 .94 .97",
  );
}

/** Returns the trimmed sentences that overlap a range. The split is naive, so as not to favour the optimizer's own. */
function sentencesAround(text: string, from: number, to: number): string[] {
  const ends = [...text.matchAll(/[.!?]["')\]]*\s+(?=["'([]*\p{Lu})|\n+/gu)].map(
    (match) => match.index + match[0].length,
  );
  const starts = [0, ...ends];
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? text.length;
    return start < to && end > from ? [text.slice(start, end).trim()] : [];
  });
}

async function meetings(form: "content" | "segments"): Promise<void> {
  const all = readRows<{
    turns: [speaker: string, text: string][];
    queries: { query: string; spans: [number, number][] }[];
  }>(DATA, "qmsum");
  if (!all) return;
  const shares = RATIOS.map(() => 0);
  let asked = 0;
  for (const { turns, queries } of all) {
    const lines = turns.map(([speaker, text]) => `${speaker}: ${text}\n`);
    for (const { query, spans } of queries) {
      const gold = new Set(
        spans.flatMap(([from, to]) => lines.slice(from, to + 1).map((_, at) => from + at)),
      );
      const goldWords = sum([...gold], (turn) => wordsIn(lines[turn] as string));
      if (goldWords === 0) continue;
      for (const [index, ratio] of RATIOS.entries()) {
        const kept = await keptOf(lines, query, ratio, form);
        shares[index] =
          (shares[index] as number) + sum([...gold], (turn) => wordsIn(kept[turn] ?? "")) / goldWords;
      }
      asked++;
    }
  }
  report(
    `QMSum, gold words, as ${form}`,
    shares.map((share) => share / asked),
    ".45 .66 .83, BM25 with neighbours .37 .55 .71",
  );
}

/** Returns the part of each line that is kept. */
async function keptOf(
  lines: readonly string[],
  query: string,
  ratio: number,
  form: "content" | "segments",
): Promise<string[]> {
  if (form === "content") {
    const { content = "" } = await optimize({
      ...request,
      content: lines.join(""),
      query,
      budget: { ratio },
    });
    let at = 0;
    return lines.map((line) => {
      if (!content.startsWith(line, at)) return "";
      at += line.length;
      return line;
    });
  }
  const segments = lines.map((content, index) => ({
    id: String(index),
    content,
    priority: 0,
    pinned: false,
  }));
  const { segments: left = [] } = await optimize({ ...request, segments, query, budget: { ratio } });
  const byId = new Map(left.map(({ id, content }) => [id, content]));
  return lines.map((_, index) => byId.get(String(index)) ?? "");
}

async function speed(): Promise<void> {
  const meetings = readRows<{ turns: [string, string][] }>(DATA, "qmsum");
  const articles = readRows<{ context: string }>(DATA, "xquad_en_articles");
  if (!meetings || !articles) return;
  const dialogue = meetings.flatMap(({ turns }) => turns.map((turn) => turn.join(": "))).join("\n");
  const prose = articles.map(({ context }) => context).join("\n\n");
  const code = readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8");
  const texts = { dialogue, prose, json: code, "one word": "word", Chinese: "中文字" };
  for (const [name, text] of Object.entries(texts)) {
    const length = Math.floor((BYTES * text.length) / Buffer.byteLength(text));
    const content = text.repeat(Math.ceil(length / text.length)).slice(0, length);
    for (const query of ["What was decided about the budget of the remote control?", undefined]) {
      const begin = systemClock.monotonic();
      const { tokens } = await optimize({
        ...request,
        content,
        budget: { ratio: 0.25 },
        ...(query && { query }),
      });
      const ms = systemClock.monotonic() - begin;
      console.log(
        `1 MB of ${name}, ${query ? "with" : "without"} a query: ${ms.toFixed(0)} ms, ${tokens.before} tokens to ${tokens.after} (to beat: 2 s)`,
      );
    }
  }
}

function report(what: string, shares: readonly number[], toReach: string): void {
  console.log(
    `${what}, at 10, 25, 50 %: ${shares.map((share) => share.toFixed(3)).join(" ")} (to reach ${toReach})`,
  );
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
