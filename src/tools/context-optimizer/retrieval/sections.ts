import type { Piece } from "./pieces.ts";

const MAX_LINES = 40;
const HEADING = /^#{1,6}\s+(\S.*)/;

/** Cuts prose, logs and any other lines into pieces: sections below headings, and long ones where a line is empty. */
export function sectionPieces(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  const names: string[] = [];
  let start = 0;
  let lastBlank = 0;
  const end = (line: number) => {
    if (line > start) pieces.push({ from: start, to: line, names: [...names] });
    start = line;
  };
  for (const [index, line] of lines.entries()) {
    const heading = HEADING.exec(line);
    if (heading) {
      end(index);
      names.splice(0, names.length, heading[1] as string);
    }
    if (line.trim() === "") lastBlank = index + 1;
    if (index + 1 - start >= MAX_LINES) end(lastBlank > start ? lastBlank : index + 1);
  }
  end(lines.length);
  return pieces;
}
