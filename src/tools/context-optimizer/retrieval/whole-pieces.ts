import type { Kind, Segment } from "../contract.ts";
import { shortened } from "../lines.ts";
import type { Unit } from "../units.ts";
import { codePieces } from "./pieces.ts";
import { recordStarts } from "./records.ts";
import { type SearchedFile, type SearchedPiece, searchedPiece } from "./searched-file.ts";
import { sectionPieces } from "./sections.ts";

/** A piece that is kept or dropped as a whole. */
export interface WholePiece extends Unit {
  names: readonly string[];
  /** Lines of its segment, counted from 0; `to` is exclusive. */
  from: number;
  to: number;
}

interface Span {
  start: number;
  end: number;
  names: readonly string[];
}

/**
 * Cuts everything, in order, into pieces that make sense by themselves: functions, records, sections. Their texts
 * joined are the segments' contents joined.
 *
 * @param longest maximum length of a piece, in characters.
 */
export function wholePieces(
  segments: readonly (Pick<Segment, "content"> & Partial<Pick<Segment, "id">>)[],
  kinds: readonly Kind[],
  longest: number,
): WholePiece[] {
  return segments.flatMap(({ content, id }, segment) => {
    const kind = kinds[segment] as Kind;
    let line = 0;
    return spansOf(content, kind, id).flatMap(({ start, end, names }) => {
      const cuts = shortened(content.slice(start, end), [0], longest);
      return cuts.map((cut, index): WholePiece => {
        const text = content.slice(start + cut, Math.min(end, start + (cuts[index + 1] ?? end - start)));
        const from = line;
        line += linesIn(text);
        const to = Math.max(line, from + 1);
        return { text, segment, kind, paragraph: segment, terms: [], names, from, to };
      });
    });
  });
}

/**
 * Pieces for search only are not printed, so they may be long. The bound keeps a very long line from taking minutes.
 */
const MAX_PIECE_LENGTH = 8000;

/** Prepares a file for search. */
export function searchedFile(path: string, content: string, kind: Kind): SearchedFile {
  return { path, pieces: wholePieces([{ id: path, content }], [kind], MAX_PIECE_LENGTH).map(searchedPiece) };
}

/** Prepares segments for search that were cut already. */
export function searchedFiles(
  segments: readonly Pick<Segment, "id">[],
  pieces: readonly WholePiece[],
): SearchedFile[] {
  const files = segments.map(({ id }): { path: string; pieces: SearchedPiece[] } => ({
    path: id,
    pieces: [],
  }));
  for (const piece of pieces)
    (files[piece.segment] as (typeof files)[number]).pieces.push(searchedPiece(piece));
  return files;
}

function spansOf(content: string, kind: Kind, id: string | undefined): Span[] {
  if (content === "") return [];
  if (kind === "json") {
    const starts = recordStarts(content);
    return starts.map((start, index) => ({ start, end: starts[index + 1] ?? content.length, names: [] }));
  }
  const starts = startsOfLines(content);
  const lines = starts.map((start, line) => content.slice(start, starts[line + 1] ?? content.length));
  const pieces = kind === "code" ? codePieces(lines) : sectionPieces(lines, id);
  return pieces.map(({ from, to, names }) => ({
    start: starts[from] as number,
    end: starts[to] ?? content.length,
    names,
  }));
}

/** Returns the starts of lines, including blank ones, as editors count lines. */
function startsOfLines(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    const end = match.index + match[0].length;
    if (end < text.length) starts.push(end);
  }
  return starts;
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
