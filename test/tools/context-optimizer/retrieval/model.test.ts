import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateAmong } from "../../../../src/tools/context-optimizer/retrieval/locate.ts";
import { searchedPiece } from "../../../../src/tools/context-optimizer/retrieval/searched-file.ts";
import { worthReading } from "../../../../src/tools/context-optimizer/retrieval/worth-reading.ts";
import { runs } from "../../../support/runs.ts";

/** Words that are one term each: none is part of another, is inflected or is a stop word. */
const WORDS = ["zorp", "quib", "blick", "frun", "gmox", "wump"];
const FOLDERS = ["src", "tests", "docs"];

interface Piece {
  text: string[];
  names: string[];
}

interface File {
  path: string;
  inPath: string[];
  pieces: Piece[];
}

const words = (maxLength: number) => fc.array(fc.constantFrom(...WORDS), { maxLength });
const files: fc.Arbitrary<File[]> = fc.uniqueArray(
  fc
    .record({
      folder: fc.constantFrom(...FOLDERS),
      name: fc.constantFrom(...WORDS),
      pieces: fc.array(fc.record({ text: words(8), names: words(2) }), { minLength: 1, maxLength: 7 }),
    })
    .map(({ folder, name, pieces }) => ({
      path: `${folder}/${name}.ts`,
      inPath: [folder === "tests" ? "test" : folder === "docs" ? "doc" : folder, name],
      pieces,
    })),
  { selector: ({ path }) => path, minLength: 1, maxLength: 6 },
);
const query = fc.record({
  title: words(4),
  rest: words(5),
  /** A place that the query names: a file, and perhaps a line. */
  names: fc.option(fc.record({ file: fc.nat(5), line: fc.option(fc.integer({ min: 1, max: 25 })) })),
  asks: fc.constantFrom("", " test", " documentation"),
});
const LINES_A_PIECE = 3;

function searchedOf(all: readonly File[]) {
  return all.map(({ path, pieces }) => ({
    path,
    pieces: pieces.map(({ text, names }, place) =>
      searchedPiece({
        names,
        text: text.join(" "),
        from: place * LINES_A_PIECE,
        to: (place + 1) * LINES_A_PIECE,
      }),
    ),
  }));
}

const times = (of: readonly string[], word: string) => of.filter((each) => each === word).length;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Computes BM25 (Robertson and Zaragoza 2009, §3.1), scaled so that the best document has 1. */
function bm25(documents: readonly string[][], weights: ReadonlyMap<string, number>): number[] {
  const average = sum(documents.map(({ length }) => length)) / documents.length || 1;
  const scores = documents.map((document) => {
    const parts = [...weights].map(([term, weight]) => {
      const having = documents.filter((each) => each.includes(term)).length;
      const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      const tf = times(document, term);
      return (weight * idf * tf * 2.6) / (tf + 1.6 * (0.25 + (0.75 * document.length) / average));
    });
    return sum(parts);
  });
  const most = Math.max(0, ...scores);
  return scores.map((score) => (most > 0 ? score / most : 0));
}

/** Ranks files as the documentation describes, from the generated words. */
function expected(
  all: readonly File[],
  asked: { title: string[]; all: string[] },
  named?: [number, number?],
) {
  const weights = new Map<string, number>();
  for (const word of new Set([...asked.title, ...asked.all])) {
    const count = times(asked.all, word) + times(asked.title, word);
    weights.set(word, (2 * count) / (count + 1));
  }
  const thrice = (of: readonly string[]) => [...of, ...of, ...of];
  const ofPiece = ({ text, names }: Piece) => [...text, ...names, ...names];
  const fileScores = bm25(
    all.map(({ inPath, pieces }) => [...thrice(inPath), ...pieces.flatMap(ofPiece)]),
    weights,
  ).map((score, file) => score + (named?.[0] === file ? 0.3 : 0));
  const flat = all.flatMap(({ inPath, pieces }, file) =>
    pieces.map((piece, place) => ({ file, place, words: [...thrice(inPath), ...ofPiece(piece)] })),
  );
  const pieceScores = bm25(
    flat.map((each) => each.words),
    weights,
  ).map((score, index) => {
    const { file, place } = flat[index] as (typeof flat)[number];
    const line = named?.[0] === file ? named[1] : undefined;
    const isNamed = line !== undefined && Math.ceil(line / LINES_A_PIECE) === place + 1;
    return score > 0 ? score + 0.3 * (fileScores[file] as number) + (isNamed ? 0.3 : 0) : 0;
  });
  return { fileScores, flat, pieceScores };
}

describe("locateAmong() and worthReading()", () => {
  it("locateAmong() ranks files and pieces by the documented formula, up to the limit", () => {
    fc.assert(
      fc.property(files, query, fc.integer({ min: 1, max: 6 }), (all, asked, limit) => {
        const named =
          asked.names && asked.names.file < all.length
            ? ([asked.names.file, asked.names.line ?? undefined] as [number, number?])
            : undefined;
        const path = named && (all[named[0]] as File).path;
        const place = path && (named[1] === undefined ? path : `${path}:${named[1]}`);
        const text = `${asked.title.join(" ")}\n${asked.asks} ${asked.rest.join(" ")}\n${place ?? ""}`;
        const inPlace = path ? [...(all[named[0]] as File).inPath, "ts"] : [];
        const wordOfAsking = asked.asks === " test" ? ["test"] : asked.asks ? ["document"] : [];
        const { fileScores, flat, pieceScores } = expected(
          all,
          { title: asked.title, all: [...asked.title, ...wordOfAsking, ...asked.rest, ...inPlace] },
          named,
        );
        const scores = all.map(({ path: each }, file) => {
          const [first = 0, second = 0, third = 0] = pieceScores
            .filter((_, index) => flat[index]?.file === file)
            .sort((a, b) => b - a);
          const share =
            each.startsWith("tests/") && asked.asks !== " test" && !path?.startsWith("tests/")
              ? 0.7
              : each.startsWith("docs/") && asked.asks !== " documentation" && !path?.startsWith("docs/")
                ? 0.8
                : 1;
          return share * ((fileScores[file] as number) + first + 0.3 * second + 0.2 * third);
        });
        const most = Math.max(...scores);
        const found = locateAmong(searchedOf(all), text, limit);
        const order = [...all.keys()]
          .filter((file) => (scores[file] as number) > 0)
          .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
        expect(found.files).toHaveLength(Math.min(limit, order.length));
        expect(found.searched).toEqual({ files: all.length, pieces: flat.length });
        for (const [rank, located] of found.files.entries()) {
          expect(located.score).toBeCloseTo((scores[order[rank] as number] as number) / most, 2.9);
          const file = all.findIndex((each) => each.path === located.path);
          expect(located.score).toBeCloseTo((scores[file] as number) / most, 2.9);
          const own = pieceScores.flatMap((score, index) =>
            flat[index]?.file === file && score > 0 ? [score / most] : [],
          );
          expect(located.symbols).toHaveLength(Math.min(5, own.length));
          for (const [at, { from, to, name, score }] of located.symbols.entries()) {
            expect(score).toBeCloseTo(own.toSorted((a, b) => b - a)[at] as number, 2.9);
            expect(to - from).toBe(LINES_A_PIECE - 1);
            const piece = all[file]?.pieces[(from - 1) / LINES_A_PIECE] as Piece;
            expect(name).toBe(piece.names.length > 0 ? piece.names.join(".") : undefined);
          }
          expect(located.reasons.includes(`The text names ${place}.`)).toBe(named?.[0] === file);
          const { inPath, pieces } = all[file] as File;
          const has = (each: string) => pieces.some(({ text, names }) => [...text, ...names].includes(each));
          const given = WORDS.filter((each) => [...asked.title, ...asked.rest, ...inPlace].includes(each));
          const reason = (start: string) =>
            located.reasons.find((each) => each.startsWith(start))?.match(/[a-z]+/g) ?? [];
          const inText = given.filter((each) => has(each) && !inPath.includes(each));
          const told = reason("Its text has").filter((each) => WORDS.includes(each));
          expect(inText).toEqual(expect.arrayContaining(told));
          if (inText.length < 4) expect(told).toHaveLength(inText.length);
          const ofPath = given.filter((each) => inPath.includes(each));
          expect(reason("Its path has")).toEqual(expect.arrayContaining(ofPath));
          expect(located.reasons.includes("It is a test.")).toBe(located.path.startsWith("tests/"));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("worthReading() chooses the files of the best pieces up to eight times the budget", () => {
    fc.assert(
      fc.property(files, words(4), fc.integer({ min: 1, max: 9 }), (all, asked, maxTokens) => {
        const { flat, pieceScores } = expected(all, { title: asked, all: asked });
        const { files: chosen, pieces } = worthReading(searchedOf(all), asked.join(" "), maxTokens);
        // Ties and rounding may decide either way between pieces of nearly equal worth.
        const order = [...flat.keys()]
          .filter((index) => (pieceScores[index] as number) > 0)
          .sort((a, b) => (pieceScores[b] as number) - (pieceScores[a] as number));
        const wanted = new Set<number>();
        let left = (8 * maxTokens) / 2;
        for (const index of order) {
          const { file, place } = flat[index] as (typeof flat)[number];
          const { text, names } = (all[file] as File).pieces[place] as Piece;
          if (left <= 0) break;
          wanted.add(file);
          left -= text.length + 2 * names.length;
        }
        expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
        const distinct = new Set(pieceScores.map((score) => score.toFixed(9)));
        if (distinct.size === pieceScores.length) expect(new Set(chosen)).toEqual(wanted);
        const worth = flat.flatMap(({ file }, index) =>
          chosen.includes(file) ? [pieceScores[index] as number] : [],
        );
        expect(pieces).toHaveLength(worth.length);
        for (const [index, value] of worth.entries()) expect(pieces[index]).toBeCloseTo(value, 9);
      }),
      { numRuns: runs(60) },
    );
  });
});
