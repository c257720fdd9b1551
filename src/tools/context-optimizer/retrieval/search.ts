import { bm25 } from "../../../text/search/bm25.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";
import { mentionsIn } from "./mentions.ts";

/** A piece of a file, as it is searched. */
export interface Searched {
  /** By place in `files`. */
  file: number;
  text: string;
  names: readonly string[];
  /** Lines of the file, counted from 0; `to` is the first one behind it. */
  from: number;
  to: number;
}

export interface Found {
  /** By piece, 0 and more: 1 is about the best there is. */
  pieces: Float64Array;
  /** By file, likewise. */
  files: Float64Array;
  /** What of each file the query names; empty for most. */
  mentions: readonly ReadonlySet<string>[];
  /** What each file's text and path are searched by, repeated as it is. */
  terms: readonly (readonly string[])[];
}

/* Found on half of the visible issues of a public benchmark, held on the other: see docs/tools.md. */
const BM25 = { k1: 1.6, b: 0.75 };
/** How often what a piece declares, and its path, count beside its text. */
const NAMES = 2;
const PATH = 3;
/** What the first line of a query counts beside the rest of it. */
const TITLE = 2;
/** What its file lends to a piece. */
const FILE_SHARE = 0.3;
/** What it weighs that the query names a file, or the very line of a piece. */
const MENTION = 0.3;

/** Ranks pieces of files, and the files, by a question, an issue or an error. */
export function search(files: readonly string[], pieces: readonly Searched[], query: string): Found {
  const terms = queryTerms(query);
  const paths = files.map((path) => codeTerms(path.replace(/\.\w+$/, "")));
  const bodies = pieces.map(({ text }) => codeTerms(text));
  const whole: string[][] = paths.map((path) => repeated(path, PATH));
  const documents = pieces.map(({ file, names }, index) => {
    const body = bodies[index] as string[];
    for (const term of body) whole[file]?.push(term);
    return [
      ...body,
      ...repeated(codeTerms(names.join(" ")), NAMES),
      ...repeated(paths[file] ?? [], PATH),
    ].sort();
  });
  const ofFiles = scaled(
    bm25(
      whole.map((each) => each.sort()),
      terms,
      BM25,
    ),
  );
  const ofPieces = scaled(bm25(documents, terms, BM25));
  const { mentions, lines } = mentionsIn(query, files);
  for (const [file, named] of mentions.entries()) {
    if (named.size > 0) ofFiles[file] = (ofFiles[file] as number) + MENTION;
  }
  for (const [index, { file, from, to }] of pieces.entries()) {
    const own = ofPieces[index] as number;
    // Without a word of the query of its own it is no better than any piece of that file.
    if (own === 0) continue;
    const isNamed = (lines.get(file) ?? []).some((line) => line > from && line <= to);
    ofPieces[index] = own + FILE_SHARE * (ofFiles[file] as number) + (isNamed ? MENTION : 0);
  }
  return { pieces: ofPieces, files: ofFiles, mentions, terms: whole };
}

/** Each term once, and no more than twice as much for one that comes again and again. */
export function queryTerms(query: string): Map<string, number> {
  const counts = new Map<string, number>();
  const title = query.split("\n", 1)[0] as string;
  for (const term of codeTerms(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of codeTerms(title)) counts.set(term, (counts.get(term) ?? 0) + TITLE - 1);
  return new Map([...counts].map(([term, count]) => [term, (2 * count) / (count + 1)]));
}

function repeated(terms: readonly string[], times: number): string[] {
  return Array.from({ length: times }, () => terms).flat();
}

/** So that the best is 1. */
function scaled(scores: Float64Array): Float64Array {
  const most = scores.reduce((highest, score) => Math.max(highest, score), 0);
  return most > 0 ? scores.map((score) => score / most) : scores;
}
