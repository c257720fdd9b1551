import { FILE_HEADING } from "./formats.ts";

/** Finds the file that a heading names for the findings below it. */
export interface FileHeadings {
  /** Returns the file of the heading above a line (0-based) and the lines that belong with it. */
  above(index: number): string | undefined;
}

const BELONGS = /^\s|^\d+:\d+\s/;

/**
 * Remembers the lines that it passed, which all have the same heading: a report of many findings under one heading, or
 * under none, would otherwise be read once for each of them.
 */
export function fileHeadings(textAt: (index: number) => string | undefined): FileHeadings {
  let known: { from: number; to: number; file?: string | undefined } = { from: 0, to: -1 };
  return {
    above(index) {
      let from = index;
      let file: string | undefined;
      while (from < known.from || from > known.to) {
        const text = textAt(from - 1);
        if (text === undefined || text.trim() === "") break;
        file = FILE_HEADING.exec(text)?.groups?.file;
        if (file || !BELONGS.test(text)) break;
        from--;
      }
      const isKnown = from >= known.from && from <= known.to;
      known = isKnown ? { ...known, to: Math.max(index, known.to) } : { from, to: index, file };
      return known.file;
    },
  };
}
