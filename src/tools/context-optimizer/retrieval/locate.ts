import type { Input, Output } from "../../../contract/endpoint.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";
import type { contextOptimizerContract } from "../contract.ts";
import { kindsOf } from "../kinds.ts";
import { queryTerms, type Searched, search } from "./search.ts";
import { wholePieces } from "./whole-pieces.ts";

type LocateInput = Input<typeof contextOptimizerContract.locate>;
type Answer = Output<typeof contextOptimizerContract.locate>;
type LocatedFile = Answer["files"][number];

/** Nothing is printed of a piece, so that it may be as long as it is; but no line is searched for minutes. */
const MAX_PIECE_LENGTH = 8000;
const MAX_SYMBOLS = 5;
/** What the best piece of a file, the next and the third speak for it. */
const PIECE_SHARES = [1, 0.3, 0.2];
/** People ask for what is to be changed; its tests are found from there. */
const TEST_SHARE = 0.7;
const TEST = /(?:^|\/)(?:tests?|__tests__|spec|testing)\/|(?:^|[._/-])(?:test|spec|tests)(?:[._-]|\.\w+$)/i;
const ASKS_FOR_TESTS = /\btests?\b/i;
const MAX_TERMS_NAMED = 5;

/** Ranks files, and what they declare, by an issue, an error or a question. */
export function locate({ query, segments, limit }: LocateInput): Answer {
  const pieces = wholePieces(segments, kindsOf(segments), MAX_PIECE_LENGTH);
  const paths = segments.map(({ id }) => id);
  const found = search(paths, pieces, query);
  const byFile = placesByFile(pieces, segments.length);
  const wantsTests = ASKS_FOR_TESTS.test(query);
  const scores = segments.map((_, file) => {
    const best = bestOf(byFile[file] ?? [], found.pieces);
    const ofPieces = PIECE_SHARES.map((share, rank) => share * (found.pieces[best[rank] ?? -1] ?? 0));
    const score = ofPieces.reduce((sum, each) => sum + each, found.files[file] as number);
    return wantsTests || !TEST.test(paths[file] as string) ? score : TEST_SHARE * score;
  });
  const order = [...segments.keys()]
    .filter((file) => (scores[file] as number) > 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const terms = queryTerms(query);
  const own = found.terms.map((of) => new Set(of.filter((term) => terms.has(term))));
  const rarity = rarityIn(own);
  const words = wordsByTerm(query);
  const most = scores[order[0] ?? -1] ?? 1;
  const files = order.slice(0, limit).map((file): LocatedFile => {
    const best = bestOf(byFile[file] ?? [], found.pieces).slice(0, MAX_SYMBOLS);
    const mentions = [...(found.mentions[file] ?? [])];
    return {
      path: paths[file] as string,
      score: rounded((scores[file] as number) / most),
      reasons: [
        ...mentions.map((mention) => `The text names ${mention}.`),
        ...reasonsOf(paths[file] as string, own[file] as ReadonlySet<string>, { rarity, words }),
        ...(TEST.test(paths[file] as string) ? ["It is a test."] : []),
      ],
      symbols: best.map((place) => {
        const { names, from, to } = pieces[place] as Searched;
        return {
          ...(names.length > 0 && { name: names.join(".") }),
          from: from + 1,
          to,
          score: rounded((found.pieces[place] as number) / most),
        };
      }),
    };
  });
  return { files, searched: { files: segments.length, pieces: pieces.length } };
}

function placesByFile(pieces: readonly Searched[], files: number): number[][] {
  const places: number[][] = Array.from({ length: files }, () => []);
  for (const [place, { file }] of pieces.entries()) places[file]?.push(place);
  return places;
}

function bestOf(places: readonly number[], scores: Float64Array): number[] {
  return places
    .filter((place) => (scores[place] as number) > 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

/** By term, how few files have it. */
function rarityIn(files: readonly ReadonlySet<string>[]): Map<string, number> {
  const having = new Map<string, number>();
  for (const own of files) for (const term of own) having.set(term, (having.get(term) ?? 0) + 1);
  return new Map([...having].map(([term, count]) => [term, Math.log((files.length + 1) / count)]));
}

/** The words of the query that speak most for a file. */
function reasonsOf(
  path: string,
  own: ReadonlySet<string>,
  { rarity, words }: { rarity: ReadonlyMap<string, number>; words: ReadonlyMap<string, string> },
): string[] {
  const inPath = new Set(codeTerms(path));
  const telling = [...own].sort((a, b) => (rarity.get(b) as number) - (rarity.get(a) as number));
  const asWritten = (terms: readonly string[]) => [
    ...new Set(terms.slice(0, MAX_TERMS_NAMED).map((term) => words.get(term) ?? term)),
  ];
  const inText = asWritten(telling.filter((term) => !inPath.has(term)));
  const named = asWritten(telling.filter((term) => inPath.has(term)));
  return [
    ...(named.length > 0 ? [`Its path has ${named.join(", ")}.`] : []),
    ...(inText.length > 0 ? [`Its text has ${inText.join(", ")}.`] : []),
  ];
}

/** How the query first writes what a term comes from, by itself rather than as part of a longer name. */
function wordsByTerm(query: string): Map<string, string> {
  const words = new Map<string, string>();
  const written = (query.match(/[\p{L}\p{N}_$]+/gu) ?? []).map((word) => ({ word, terms: codeTerms(word) }));
  for (const { word, terms } of written.sort((a, b) => a.terms.length - b.terms.length)) {
    for (const term of terms) if (!words.has(term)) words.set(term, word);
  }
  return words;
}

function rounded(score: number): number {
  return Math.round(1000 * score) / 1000;
}
