import type { Command } from "commander";
import { UsageError } from "../exit-codes.ts";

/** The options whose empty value means something: the first page, or none any more. */
const MAY_BE_EMPTY = new Set(["--cursor", "--description", "--except", "--needs", "--tag"]);

/**
 * Lets a command refuse empty values of its options. A script gives them whose variable is unset, and means neither all
 * nor the default. What the option's own parser says goes first.
 */
export function refuseEmptyOptions(command: Command): Command {
  for (const option of command.options) {
    if (MAY_BE_EMPTY.has(option.long ?? "")) continue;
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (isEmpty(value)) throw isEmptyError(option.long as string);
    });
  }
  return command;
}

/**
 * Throws if an argument is empty, unless it stands after `--`: what does may be for another program.
 *
 * @param words the words of the whole command line.
 */
export function refuseEmptyArguments({ args, registeredArguments }: Command, words: readonly string[]): void {
  const dashes = words.indexOf("--");
  const after = dashes < 0 ? [] : words.slice(dashes).filter(isEmpty);
  if (args.filter(isEmpty).length === after.length) return;
  const argument = registeredArguments[args.findIndex(isEmpty)] ?? registeredArguments.at(-1);
  throw isEmptyError(`<${argument?.name()}>`);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

/** Returns the error about what is empty: an option, or an argument such as `<file>`. */
export function isEmptyError(place: string): UsageError {
  return new UsageError(`${place} is empty.`, "Is the variable set that it is taken from?");
}
