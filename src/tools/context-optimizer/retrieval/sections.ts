import type { Piece } from "./pieces.ts";

const MAX_LINES = 40;
const HEADING = /^#{1,6}\s+(\S.*)/;
/** A fence of Markdown, between which `#` begins a comment of a shell. */
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** Names of documents. In other files, such as settings, `#` begins a comment. */
const DOCUMENT = /\.(?:md|mdx|mdc|mdown|markdown|qmd|rmd|txt|rst|adoc)$/i;
/** Files without an extension that are no documents. */
const SETTINGS =
  /(?:^|[\\/])(?:\.[^\\/]*|\w*(?:[Mm]ake|[Dd]ocker|[Cc]ontainer|[Jj]enkins|[Pp]roc|[Jj]ust|[Cc]addy|[Bb]rew)file|CODEOWNERS)$/;

/** Whether lines that begin with `#` are headings, judged by the name of the file; text without a name is a document. */
function hasHeadings(id = ""): boolean {
  const name = id.slice(Math.max(id.lastIndexOf("/"), id.lastIndexOf("\\")) + 1);
  return DOCUMENT.test(name) || !(name.includes(".") || SETTINGS.test(name));
}

/**
 * Cuts prose, settings, logs and any other lines into pieces: sections below headings, which name them, or below
 * comments, and long ones where a line is empty.
 */
export function sectionPieces(lines: readonly string[], id?: string): Piece[] {
  const named = hasHeadings(id);
  const pieces: Piece[] = [];
  const names: string[] = [];
  let start = 0;
  let lastBlank = 0;
  let fence: string | undefined;
  let wasComment = false;
  const end = (line: number) => {
    if (line > start) pieces.push({ from: start, to: line, names: [...names] });
    start = line;
  };
  for (const [index, line] of lines.entries()) {
    const heading = HEADING.exec(line);
    if (named) {
      const mark = FENCE.exec(line)?.[1];
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      if (heading && fence === undefined) {
        end(index);
        names.splice(0, names.length, heading[1] as string);
      }
    } else if (heading && !wasComment) end(index);
    wasComment = line.startsWith("#");
    if (line.trim() === "") lastBlank = index + 1;
    if (index + 1 - start >= MAX_LINES) end(lastBlank > start ? lastBlank : index + 1);
  }
  end(lines.length);
  return pieces;
}
