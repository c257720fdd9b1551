import { columnsOf, hanging } from "./width.ts";

/** The least width of a description beside its term; otherwise it is below it. */
const MIN_WIDTH = 24;
/** The indentation of a description below its term. */
const BELOW = 6;

/** Wraps a hand-written text, such as examples, to lines of at most `width` columns. */
export function fitted(text: string, width: number): string {
  return joined(text.split("\n"))
    .map((line) => (columnsOf(line) <= width ? line : fittedLine(line, width)))
    .join("\n");
}

/** Returns a term with its description at column `indent`, or below it if there is too little room. */
export function item(start: string, indent: number, description: string, width: number): string {
  if (!description) return start;
  if (width - indent >= MIN_WIDTH) {
    return hanging(start + " ".repeat(indent - columnsOf(start)), description, width);
  }
  return `${start}\n${hanging(" ".repeat(BELOW), description, width)}`;
}

/** Joins the lines of each paragraph that was wrapped by hand. */
function joined(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let open = false;
  for (const line of lines) {
    const prose = /^\S.{59}/.test(line);
    if (open && /^\S/.test(line)) paragraphs[paragraphs.length - 1] += ` ${line}`;
    else paragraphs.push(line);
    open = prose || (open && /^\S/.test(line));
  }
  return paragraphs;
}

function fittedLine(line: string, width: number): string {
  const [, margin = "", shell] = /^(\s*)\$ (.*)$/.exec(line) ?? [];
  if (shell !== undefined) return shellLine(margin, shell, width);
  const [, term, description] = /^(\s+\S.*?\s{2,})(\S.*)$/.exec(line) ?? [];
  if (term !== undefined && description !== undefined) {
    return item(term.trimEnd(), columnsOf(term), description, width);
  }
  const indent = /^Usage: /.exec(line)?.[0].length ?? /^\s*/.exec(line)?.[0].length ?? 0;
  return hanging(line.slice(0, indent), line.slice(indent), width);
}

/** A word of a shell command. An option and its value are one word. */
const SHELL_WORD = /--?\w[\w-]* [^\s"'|>-][^\s"']*(?=\s|$)|(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** Wraps a command so that it can be copied: with backslashes at line ends, and its comment above it. */
function shellLine(margin: string, line: string, width: number): string {
  const [, command = line, comment] = /^(.*?)\s+# (.*)$/.exec(line) ?? [];
  const lines = [`${margin}$`];
  const indent = `${margin}    `;
  const fits = (word: string) => columnsOf(`${indent}${word} \\`) <= width;
  const words = (command.match(SHELL_WORD) ?? []).flatMap((word) =>
    fits(word) || /["']/.test(word) ? [word] : word.split(" "),
  );
  for (const word of words) {
    const last = lines.at(-1) as string;
    if (columnsOf(`${last} ${word} \\`) <= width || last.endsWith("$"))
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(indent + word);
  }
  return [
    ...(comment === undefined ? [] : [hanging(`${margin}# `, comment, width)]),
    lines.join(" \\\n"),
  ].join("\n");
}
