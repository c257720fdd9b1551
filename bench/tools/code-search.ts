import { createHash } from "node:crypto";
import { loadTokenizer } from "../../src/text/tokens/tokenizer.ts";
import { optimize } from "../../src/tools/context-optimizer/optimize.ts";
import { locate } from "../../src/tools/context-optimizer/retrieval/locate.ts";
import { searchedFile } from "../../src/tools/context-optimizer/retrieval/whole-pieces.ts";
import { worthReading } from "../../src/tools/context-optimizer/retrieval/worth-reading.ts";
import { readRows } from "../data/rows.ts";
import { simpleBm25 } from "./code-search/simple-bm25.ts";

const DATA = "11-code-search";
const BUDGETS = [4000, 8000, 16_000];
const QUERY_BYTES = 16_000;
const PIECE_LINES = 40;
const FIRST = [1, 3, 5];

interface Issue {
  id: string;
  issue: string;
  /** Lines that the fix changed, by file, counted from 1. */
  gold: Record<string, number[]>;
  /** Hashes of blobs, by path. */
  tree: Record<string, string>;
}

/**
 * Measures on issues of real repositories how many of the lines that their fix changed are kept of the whole
 * repository at a budget, beside BM25 over pieces of 40 lines, in the same run. Issues are split into halves by id;
 * the search was tuned on the first.
 */
export async function run(): Promise<void> {
  const blobs = readRows<{ sha: string; text: string }>(DATA, "blobs");
  const issues = readRows<Issue>(DATA, "issues");
  if (!blobs || !issues) return;
  const texts = new Map(blobs.map(({ sha, text }) => [sha, text]));
  for (const half of [0, 1]) {
    const own = issues.filter(({ id }) => (createHash("md5").update(id).digest()[0] ?? 0) % 2 === half);
    console.log(
      `\n${own.length} issues (half ${half + 1}): share of the fix's lines that is kept at ${BUDGETS.join(", ")} tokens`,
    );
    console.log(`  tool locate        all changed files: ${located(own, texts)}`);
    for (const [name, keep] of Object.entries({ "tool context": ours, "BM25 of 40 lines": simple })) {
      const shares = BUDGETS.map(() => 0);
      for (const issue of own) {
        const files = Object.entries(issue.tree).map(([path, sha]) => ({ path, text: texts.get(sha) ?? "" }));
        const query = cut(issue.issue);
        for (const [index, budget] of BUDGETS.entries()) {
          const kept = await keep(files, query, budget);
          shares[index] = (shares[index] as number) + shareOf(issue, files, kept) / own.length;
        }
      }
      console.log(`  ${name.padEnd(18)} ${shares.map((share) => share.toFixed(3)).join("  ")}`);
    }
  }
}

interface File {
  path: string;
  text: string;
}

/** Whether each line is kept, by path. */
type Kept = ReadonlyMap<string, readonly boolean[]>;

/** Keeps what `tool context` keeps: ranks the files, then keeps pieces of those that are worth reading. */
async function ours(files: readonly File[], query: string, maxTokens: number): Promise<Kept> {
  const searched = files.map(({ path, text }) => searchedFile(path, text, "code"));
  const reading = worthReading(searched, query, maxTokens);
  const chosen = reading.files.map((place) => files[place] as File);
  const { segments = [] } = await optimize(
    {
      segments: chosen.map(({ path, text }) => ({ id: path, content: text, priority: 0, pinned: false })),
      query,
      budget: { maxTokens },
      tokenizer: "o200k_base",
    },
    reading.pieces,
  );
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return new Map(segments.map(({ id, content }) => [id, keptLines(texts.get(id) ?? "", content)]));
}

/** Returns which lines of a text `left` holds, which is some of its pieces in order. Prefers the longest runs. */
function keptLines(text: string, left: string): boolean[] {
  const lines = text.split("\n");
  const rest = left.split("\n");
  const places = new Map<string, number[]>();
  for (const [place, line] of lines.entries()) {
    const of = places.get(line);
    if (of) of.push(place);
    else places.set(line, [place]);
  }
  const kept = lines.map(() => false);
  let line = 0;
  for (let at = 0; at < rest.length; ) {
    let best = { place: -1, length: 0 };
    for (const place of places.get(rest[at] as string) ?? []) {
      if (place < line) continue;
      const length = runLength(lines, place, rest, at);
      if (length > best.length) best = { place, length };
    }
    for (let index = 0; index < best.length; index++) kept[best.place + index] = true;
    if (best.length > 0) line = best.place + best.length;
    at += Math.max(1, best.length);
  }
  return kept;
}

function runLength(lines: readonly string[], line: number, rest: readonly string[], at: number): number {
  let length = 0;
  while (at + length < rest.length && lines[line + length] === rest[at + length]) length++;
  return length;
}

async function simple(files: readonly File[], query: string, budget: number): Promise<Kept> {
  const { count } = await loadTokenizer("o200k_base");
  const pieces = files.flatMap(({ path, text }) => {
    const lines = text.split("\n");
    return Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, index) => {
      const from = index * PIECE_LINES;
      const content = lines.slice(from, from + PIECE_LINES).join("\n");
      return { path, from, lines: lines.length, content, searched: `${path}\n`.repeat(3) + content };
    });
  });
  const scores = simpleBm25(
    pieces.map(({ searched }) => searched),
    query,
  );
  const kept = new Map<string, boolean[]>();
  const named = new Set<string>();
  let left = budget;
  for (const place of [...pieces.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))) {
    const { path, from, lines, content } = pieces[place] as (typeof pieces)[number];
    const cost = count(content) + (named.has(path) ? 0 : count(`==> ${path} <==\n`));
    if (cost > left) break;
    left -= cost;
    named.add(path);
    const of = kept.get(path) ?? Array.from({ length: lines }, () => false);
    for (let line = from; line < Math.min(lines, from + PIECE_LINES); line++) of[line] = true;
    kept.set(path, of);
  }
  return kept;
}

function shareOf({ gold }: Issue, files: readonly File[], kept: Kept): number {
  let all = 0;
  let found = 0;
  for (const [path, lines] of Object.entries(gold)) {
    const text = files.find((file) => file.path === path)?.text.split("\n") ?? [];
    for (const line of lines) {
      if ((text[line - 1] ?? "").trim() === "") continue;
      all++;
      if (kept.get(path)?.[line - 1]) found++;
    }
  }
  return all === 0 ? 1 : found / all;
}

/** Counts the issues whose changed files are all among the first 1, 3 and 5 that `locate` returns. */
function located(issues: readonly Issue[], texts: ReadonlyMap<string, string>): string {
  const found = FIRST.map(() => 0);
  for (const { issue, gold, tree } of issues) {
    const segments = Object.entries(tree).map(([id, sha]) => ({
      id,
      content: texts.get(sha) ?? "",
      priority: 0,
      pinned: false,
    }));
    const { files } = locate({ query: cut(issue), segments, limit: 10 });
    for (const [index, first] of FIRST.entries()) {
      const named = new Set(files.slice(0, first).map(({ path }) => path));
      if (Object.keys(gold).every((path) => named.has(path))) (found[index] as number)++;
    }
  }
  return FIRST.map((first, index) => `${found[index]} among the first ${first}`).join(", ");
}

function cut(text: string): string {
  return Buffer.from(text)
    .subarray(0, QUERY_BYTES)
    .toString()
    .replace(/\ufffd$/, "");
}
