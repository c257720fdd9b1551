import type { Input, Output } from "../../../contract/endpoint.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";
import type { contextOptimizerContract, Kind } from "../contract.ts";
import { kindsOf } from "../kinds.ts";
import { search } from "./search.ts";
import type { SearchedFile, SearchedPiece } from "./searched-file.ts";
import { isTest, scoreFactorFor } from "./side-files.ts";
import { isTemplate, withoutTemplateText } from "./template-text.ts";
import { searchedFile } from "./whole-pieces.ts";

type LocateInput = Input<typeof contextOptimizerContract.locate>;
type Answer = Output<typeof contextOptimizerContract.locate>;
type LocatedFile = Answer["files"][number];

const MAX_SYMBOLS = 5;
/** Weights of the best piece of a file, the second and the third, in the score of the file. */
const PIECE_SHARES = [1, 0.3, 0.2];
const MAX_TERMS_NAMED = 5;

/** Ranks files, and what they declare, for an issue, an error or a question. */
export function locate({ query, segments, limit }: LocateInput): Answer {
  const kinds = kindsOf(segments);
  const files = segments.map(({ id, content }, index) => searchedFile(id, content, kinds[index] as Kind));
  const templates = segments.filter(({ id }) => isTemplate(id)).map(({ content }) => content);
  return locateAmong(files, withoutTemplateText(query, templates), limit);
}

/** Does the same as `locate`, among files that were read before. */
export function locateAmong(searched: readonly SearchedFile[], query: string, limit: number): Answer {
  const pieces = searched.flatMap((file) => file.pieces);
  const paths = searched.map(({ path }) => path);
  const found = search(searched, query);
  const byFile = placesByFile(searched);
  const shareOf = scoreFactorFor(query, searched);
  const scores = searched.map((_, file) => {
    const best = bestOf(byFile[file] as number[], found.pieces);
    const ofPieces = best
      .slice(0, PIECE_SHARES.length)
      .map((place, rank) => (PIECE_SHARES[rank] as number) * (found.pieces[place] as number));
    const score = ofPieces.reduce((sum, each) => sum + each, found.files[file] as number);
    return score * shareOf(paths[file] as string);
  });
  const order = [...searched.keys()]
    .filter((file) => (scores[file] as number) > 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const own = found.terms;
  const having = countsIn(own);
  const words = wordsByTerm(query);
  for (const [term, { word }] of found.others) words.set(term, { word, terms: [term] });
  const most = scores[order[0] as number] as number;
  const files = order.slice(0, limit).map((file): LocatedFile => {
    const best = bestOf(byFile[file] as number[], found.pieces).slice(0, MAX_SYMBOLS);
    const mentions = [...(found.mentions[file] as ReadonlySet<string>)];
    return {
      path: paths[file] as string,
      score: rounded((scores[file] as number) / most),
      reasons: [
        ...mentions.map((mention) => `The text names ${mention}.`),
        ...reasonsOf(paths[file] as string, own[file] as ReadonlySet<string>, {
          having,
          words,
          others: found.others,
        }),
        ...(isTest(paths[file] as string) ? ["It is a test."] : []),
      ],
      symbols: best.map((place) => {
        const { names, from, to } = pieces[place] as SearchedPiece;
        return {
          ...(names.length > 0 && { name: names.join(".") }),
          from: from + 1,
          to,
          score: rounded((found.pieces[place] as number) / most),
        };
      }),
    };
  });
  return { files, searched: { files: searched.length, pieces: pieces.length } };
}

/** Returns for each file the places of its pieces among those of all files. */
function placesByFile(files: readonly SearchedFile[]): number[][] {
  let next = 0;
  return files.map(({ pieces }) => pieces.map(() => next++));
}

function bestOf(places: readonly number[], scores: Float64Array): number[] {
  return places
    .filter((place) => (scores[place] as number) > 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

/** Returns the number of files that have each term. */
function countsIn(files: readonly ReadonlySet<string>[]): Map<string, number> {
  const having = new Map<string, number>();
  for (const own of files) for (const term of own) having.set(term, (having.get(term) ?? 0) + 1);
  return having;
}

/** Names the rarest words of the query that a file has, before other words for them. */
function reasonsOf(
  path: string,
  own: ReadonlySet<string>,
  {
    having,
    words,
    others,
  }: {
    having: ReadonlyMap<string, number>;
    words: ReadonlyMap<string, Written>;
    others: ReadonlyMap<string, unknown>;
  },
): string[] {
  const inPath = new Set(codeTerms(path));
  const telling = [...own].sort(
    (a, b) =>
      Number(others.has(a)) - Number(others.has(b)) || (having.get(a) as number) - (having.get(b) as number),
  );
  const asWritten = (terms: readonly string[]) => [
    ...new Set(terms.slice(0, MAX_TERMS_NAMED).map((term) => writtenFor(term, words.get(term), own))),
  ];
  const inText = asWritten(telling.filter((term) => !inPath.has(term)));
  const named = asWritten(telling.filter((term) => inPath.has(term)));
  return [
    ...(named.length > 0 ? [`Its path has ${named.join(", ")}.`] : []),
    ...(inText.length > 0 ? [`Its text has ${inText.join(", ")}.`] : []),
  ];
}

/** A word of the query, with all of its terms. */
interface Written {
  word: string;
  terms: readonly string[];
}

/** Maps terms to the word of the query that they come from, preferably one by itself to a part of a longer name. */
function wordsByTerm(query: string): Map<string, Written> {
  const words = new Map<string, Written>();
  const written = (query.match(/[\p{L}\p{N}_$]+/gu) ?? []).map((word) => ({ word, terms: codeTerms(word) }));
  for (const each of written.sort((a, b) => a.terms.length - b.terms.length)) {
    for (const term of each.terms) if (!words.has(term)) words.set(term, each);
  }
  return words;
}

const PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\p{N}+/gu;

/** Returns the word that a term comes from, or only the part of it that a file has: `sha` of `sha256`. */
function writtenFor(term: string, written: Written | undefined, own: ReadonlySet<string>): string {
  if (!written) return term;
  const { word, terms } = written;
  if (terms.every((each) => own.has(each))) return word;
  return (word.match(PARTS) ?? []).find((part) => codeTerms(part).includes(term)) ?? term;
}

function rounded(score: number): number {
  return Math.round(1000 * score) / 1000;
}
