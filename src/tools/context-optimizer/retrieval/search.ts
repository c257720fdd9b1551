import { bm25, type Counted } from "../../../text/search/bm25.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";
import { stemOf } from "../../../text/stems.ts";
import { dataShareFor } from "./data-files.ts";
import { mentionsIn } from "./mentions.ts";
import { otherWords } from "./other-words.ts";
import { type SearchedFile, termNumber } from "./searched-file.ts";

export interface Found {
  /** Scores of the pieces of all files, in order: 0 or more, about 1 for the best. */
  pieces: Float64Array;
  /** Scores of the files, likewise. */
  files: Float64Array;
  /** By file, how the query names it; empty for most. */
  mentions: readonly ReadonlySet<string>[];
  /** By file, the terms of the query that it has, and those searched for besides. */
  terms: readonly ReadonlySet<string>[];
  /** The words searched for besides those of the query, by their terms. */
  others: ReadonlyMap<string, { word: string }>;
}

/*
 * Tuned on half of the visible issues of a public benchmark, and tested on the other half: see
 * docs/tools/context-optimizer.md.
 */
const BM25 = { k1: 1.6, b: 0.75 };
/** Weight of a term in the path relative to one in the text. */
const PATH = 3;
/** Weight of the first line of a query relative to the rest. */
const TITLE = 2;
/** Stems of words that say of a query that it is a report. They are rare in code, so their rarity says nothing. */
const REPORTING = new Set(["fix", "bug", "issue"].map(stemOf));
const REPORTING_SHARE = 0.5;
/** Share of its file's score that a piece gets. */
const FILE_SHARE = 0.3;
/** Added where the query names a file, or a line of a piece. */
const MENTION = 0.3;

/** Ranks files and their pieces for a question, an issue or an error. */
export function search(files: readonly SearchedFile[], query: string): Found {
  const asked = queryTerms(query);
  const others = otherWords(query, asked, files);
  const terms = [...asked.keys(), ...others.keys()];
  const { ofFiles, ofPieces } = countedIn(files, terms);
  const weights = [...asked.values(), ...[...others.values()].map(({ weight }) => weight)];
  const fileScores = scaled(bm25(ofFiles, weights, BM25));
  const pieceScores = scaled(bm25(ofPieces, weights, BM25));
  const { mentions, lines } = mentionsIn(
    query,
    files.map(({ path }) => path),
  );
  const shareOf = dataShareFor(query);
  // A file that the query names is meant, whatever its kind.
  const shares = files.map(({ path }, file) => (mentions[file]?.size ? 1 : shareOf(path)));
  for (const [file, named] of mentions.entries()) {
    fileScores[file] =
      (fileScores[file] as number) * (shares[file] as number) + (named.size > 0 ? MENTION : 0);
  }
  let place = 0;
  for (const [file, { pieces }] of files.entries()) {
    for (const { from, to } of pieces) {
      const own = (pieceScores[place] as number) * (shares[file] as number);
      // A piece without a word of the query is no better than others of its file, so it gets nothing from the file.
      if (own > 0) {
        const isNamed = (lines.get(file) ?? []).some((line) => line > from && line <= to);
        pieceScores[place] = own + FILE_SHARE * (fileScores[file] as number) + (isNamed ? MENTION : 0);
      }
      place++;
    }
  }
  return {
    pieces: pieceScores,
    files: fileScores,
    mentions,
    terms: termsByFile(ofFiles, terms),
    others,
  };
}

/** What is left of words that are written short: `don't`, and the end of `it'll`. */
const CONTRACTED = /(?<!\p{L})\p{L}+n['’]t\b|(?<=\p{L})['’](?:s|ll|ve|re|d|m)\b/giu;

/** Returns the terms of a query with their weights. Repetition raises a weight from 1 to at most 2. */
export function queryTerms(text: string): Map<string, number> {
  const query = text.replace(CONTRACTED, " ");
  const counts = new Map<string, number>();
  const title = query.split("\n", 1)[0] as string;
  for (const term of codeTerms(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of codeTerms(title)) counts.set(term, (counts.get(term) ?? 0) + TITLE - 1);
  return new Map(
    [...counts].map(([term, count]) => [
      term,
      ((2 * count) / (count + 1)) * (REPORTING.has(term) ? REPORTING_SHARE : 1),
    ]),
  );
}

interface Postings extends Counted {
  lengths: number[];
  postings: number[][];
}

function countedIn(files: readonly SearchedFile[], terms: readonly string[]) {
  const byNumber = new Map(terms.map((term, index) => [termNumber(term), index]));
  const asked = new Set(byNumber.keys());
  // Most terms of a repository are not in the query, which a table of flags shows faster than a lookup.
  const likely = new Uint8Array(1 << 16);
  for (const number of asked) likely[number & 0xffff] = 1;
  const ofFiles: Postings = { lengths: [], postings: terms.map(() => []) };
  const ofPieces: Postings = { lengths: [], postings: terms.map(() => []) };
  for (const [file, { path, pieces }] of files.entries()) {
    const inPath = codeTerms(path.replace(/\.\w+$/, ""));
    const ofPath = new Map<number, number>();
    for (const term of inPath) {
      const index = byNumber.get(termNumber(term));
      if (index !== undefined) ofPath.set(index, (ofPath.get(index) ?? 0) + PATH);
    }
    const whole = new Map(ofPath);
    let length = PATH * inPath.length;
    for (const { terms: own, counts } of pieces) {
      const piece = ofPieces.lengths.length;
      const had = new Map(ofPath);
      let said = 0;
      for (let at = 0; at < own.length; at++) {
        const count = counts[at] as number;
        said += count;
        const number = own[at] as number;
        if (likely[number & 0xffff] === 0) continue;
        const index = byNumber.get(number);
        if (index === undefined) continue;
        had.set(index, (had.get(index) ?? 0) + count);
        whole.set(index, (whole.get(index) ?? 0) + count);
      }
      for (const [index, count] of had) (ofPieces.postings[index] as number[]).push(piece, count);
      ofPieces.lengths.push(said + PATH * inPath.length);
      length += said;
    }
    for (const [index, count] of whole) (ofFiles.postings[index] as number[]).push(file, count);
    ofFiles.lengths.push(length);
  }
  return { ofFiles, ofPieces };
}

function termsByFile({ lengths, postings }: Counted, terms: readonly string[]): Set<string>[] {
  const byFile = lengths.map(() => new Set<string>());
  for (const [index, of] of postings.entries()) {
    for (let at = 0; at < of.length; at += 2)
      (byFile[of[at] as number] as Set<string>).add(terms[index] as string);
  }
  return byFile;
}

/** Scales scores so that the best is 1. */
function scaled(scores: Float64Array): Float64Array {
  const most = scores.reduce((highest, score) => Math.max(highest, score), 0);
  return most > 0 ? scores.map((score) => score / most) : scores;
}
