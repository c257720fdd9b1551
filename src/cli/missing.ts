import type { EventEmitter } from "node:events";
import type { Argument, Command, Option } from "commander";
import { shellWord } from "../system/processes/shell-word.ts";
import type { Choice } from "./choice-sources.ts";
import { choicesOf } from "./choices.ts";
import { walk } from "./completion/completion.ts";
import { createContext } from "./context.ts";
import { UsageError } from "./exit-codes.ts";
import type { CommonOptions } from "./options.ts";
import { canAsk } from "./terminal/can-ask.ts";
import type { Io } from "./terminal/io.ts";
import { pick } from "./terminal/pick.ts";
import { pathOf } from "./ui/command-usage.ts";
import { listed } from "./ui/format.ts";

const MAX_NAMED = 10;

/**
 * Returns the words completed by the missing value, which the user chooses at the terminal. Throws `UsageError`
 * with the choices and an example if nobody can be asked or there are no choices, and an `AbortError` if the user
 * chooses nothing.
 */
export async function supplied(io: Io, root: Command, words: readonly string[]): Promise<string[]> {
  const { command, given, argument = "", option } = walk(root, words);
  const place = option ?? missingOption(command) ?? command.registeredArguments[given];
  if (!place) throw new UsageError("Something is missing.", exampleOf(command));
  const options: CommonOptions = command.optsWithGlobals();
  const context = createContext(io, options);
  const dashes = words.indexOf("--");
  const before = dashes < 0 ? words : words.slice(0, dashes);
  const looking = choicesOf(place, context, {
    command: command.name(),
    argument,
    part: "",
  });
  const choices = await context.progress.during("Looking what there is", looking);
  if (!canAsk(io, options) || choices.length === 0) throw whatIsMissing(io, command, place, choices);
  const picked = await pick(io, `${pathOf(command)}: which ${nameOf(place)}?`, choices);
  if (picked === undefined) throw new DOMException("Nothing was chosen.", "AbortError");
  const chosen = isOption(place) && place !== option ? [place.long as string, picked] : [picked];
  io.err.line(io.err.style.dim(`  $ ${["tool", ...before, ...chosen.map(shellWord)].join(" ")}`));
  return [...before, ...chosen, ...(dashes < 0 ? [] : words.slice(dashes))];
}

function isOption(place: Argument | Option): place is Option {
  return "flags" in place;
}

function missingOption(command: Command): Option | undefined {
  return command.options.find(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  );
}

function whatIsMissing(
  io: Io,
  command: Command,
  place: Argument | Option,
  choices: readonly Choice[],
): UsageError {
  const message = isOption(place)
    ? `${pathOf(command)} needs ${place.flags.replace(/^-\w, /, "")}`
    : `${pathOf(command)} needs <${place.name()}>`;
  const values = choices.map(({ value }) => value);
  const oneOf = values.length > 0 ? `: ${listed(values, MAX_NAMED)}` : "";
  const isPiped = !isOption(place) && !io.input.terminal;
  return new UsageError(`${message}${oneOf}.`, exampleOf(command, isPiped));
}

/**
 * Returns the first example of the command's own help.
 *
 * @param isPiped whether one that reads from a pipe is better. Nothing is read unasked: a pipe may never end.
 */
function exampleOf(command: Command, isPiped = false): string {
  let text = "";
  // `addHelpText` registers event listeners, but commander's types do not say that a command is an emitter.
  (command as unknown as EventEmitter).emit("afterHelp", {
    error: false,
    command,
    write: (part: string) => {
      text += part;
    },
  });
  const examples = [...text.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = ""]) => line.replace(/\s+# .*$/, ""));
  const piped = isPiped ? examples.find((line) => line.includes(` | ${pathOf(command)} -`)) : undefined;
  const example = piped ?? examples.find((line) => line.startsWith(`${pathOf(command)} `)) ?? examples[0];
  return example === undefined ? `See \`${pathOf(command)} --help\`.` : `For example: \`${example}\``;
}

function nameOf(place: Argument | Option): string {
  const name = isOption(place) ? (place.long ?? "").slice(2) : place.name();
  return name.replace(/Id$/, "");
}
