import type { Argument, Command, Help, Option } from "commander";
import { pathOf, usageOf } from "./command-usage.ts";
import { item } from "./fitted-text.ts";
import { wrap } from "./width.ts";

const INDENT = 2;
const GAP = 2;

/** The layout of commander's help: wraps all texts between words, for widths of 40 columns and more. */
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
