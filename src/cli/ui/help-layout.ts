import type { Argument, Command, Help, Option } from "commander";
import { columnsOf, hanging, wrap } from "./width.ts";

const INDENT = 2;
const GAP = 2;
/** Narrower than this, a description stands below what it describes. */
const LEAST = 24;
/** Of what stands below. */
const BELOW = 6;

/** How commander's help is laid out: every text broken at words, at any width from 40 columns. */
export const HELP_LAYOUT = {
  formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    return item(" ".repeat(INDENT) + term, INDENT + termWidth + GAP, description, helper.helpWidth ?? 80);
  },
  boxWrap: (text: string, width: number) =>
    text
      .split("\n")
      .flatMap((line) => wrap(line, width))
      .join("\n"),
  optionDescription: (option: Option) =>
    described(option, option.mandatory && option.defaultValue === undefined ? ["required"] : []),
  argumentDescription: (argument: Argument) => described(argument, []),
  commandUsage: (command: Command) => `${pathOf(command)} ${usageOf(command)}`,
};

/** A text that was written by hand, such as examples, in lines of at most `width` columns. */
export function fitted(text: string, width: number): string {
  return joined(text.split("\n"))
    .map((line) => (columnsOf(line) <= width ? line : fittedLine(line, width)))
    .join("\n");
}

/** What must be given, by name, and what may be. */
export function usageOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const shown = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${shown}>` : `[${shown}]`;
  });
  const given = command.options.filter((option) => option.mandatory && option.defaultValue === undefined);
  const written = (command as unknown as Kept)._usage;
  return (
    written ??
    [
      ...words,
      ...(command.commands.length > 0 ? [runsByItself(command) ? "[command]" : "<command>"] : []),
      ...given.map(({ flags }) => flags.replace(/^-\w, /, "")),
      ...(command.options.length > 0 ? ["[options]"] : []),
    ].join(" ")
  );
}

/** Commander keeps both to itself: what `usage()` was given, and whether there is an action. */
interface Kept {
  _usage?: string;
  _actionHandler?: unknown;
}

export function runsByItself(command: Command): boolean {
  return Boolean((command as unknown as Kept)._actionHandler);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function described(
  { description, argChoices, defaultValue, defaultValueDescription }: Option | Argument,
  more: string[],
): string {
  const isShown = typeof defaultValue === "string" || typeof defaultValue === "number";
  const notes = [
    ...more,
    ...(argChoices ? [`one of ${argChoices.join(", ")}`] : []),
    ...(defaultValueDescription !== undefined || isShown
      ? [`default ${defaultValueDescription ?? defaultValue}`]
      : []),
  ];
  return [description, ...(notes.length > 0 ? [`(${notes.join("; ")})`] : [])].filter(Boolean).join(" ");
}

function item(start: string, indent: number, description: string, width: number): string {
  if (!description) return start;
  if (width - indent >= LEAST) {
    return hanging(start + " ".repeat(indent - columnsOf(start)), description, width);
  }
  return `${start}\n${hanging(" ".repeat(BELOW), description, width)}`;
}

/** Paragraphs whose lines were broken by hand, each in one line. */
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

/** With its value, where it is an option. */
const SHELL_WORD = /--?\w[\w-]* [^\s"'|>-][^\s"']*(?=\s|$)|(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** A command, to be copied as it stands: it goes on behind a backslash, and its comment stands above. */
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
