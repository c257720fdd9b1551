import type { Argument, Command, Option } from "commander";
import { hasChoices } from "../choices.ts";

/** The possible words at the cursor. */
export interface Candidates {
  items: { value: string; description: string }[];
  /** Whether the shell should offer files and directories. */
  files: boolean;
  /** Set if the values have to be looked up: the place, and the part of the word before the value. */
  asked?: { place: Argument | Option; command: string; argument: string; part: string; before: string };
}

const FILES = /<[^>]*(file|directory|log)\b|\b(files?|log)\b/;

/** Returns the candidates for the last of `words`, which is still being typed. */
export function complete(root: Command, words: readonly string[]): Candidates {
  const current = words.at(-1) ?? "";
  const at = walk(root, words.slice(0, -1));
  const candidates = candidatesAt(at, current);
  return { ...candidates, items: candidates.items.filter(({ value }) => value.startsWith(current)) };
}

export interface Place {
  command: Command;
  /** The number of arguments before the cursor. */
  given: number;
  /** The last argument before the cursor. */
  argument?: string;
  /** The option whose value is next. */
  option?: Option;
  /** Whether `--` was given, after which there are no options. */
  plain: boolean;
}

/** Returns the place of the cursor after these words. */
export function walk(root: Command, words: readonly string[]): Place {
  const place: Place = { command: root, given: 0, plain: false };
  for (const word of words) {
    // Bash splits `--name=value` into three words.
    if (place.option && word === "=") continue;
    if (place.option) place.option = undefined;
    else if (place.plain) take(place, word);
    else if (word === "--") place.plain = true;
    else if (word.startsWith("-")) place.option = valueOption(place.command, word);
    else {
      const child = place.given === 0 ? childOf(place.command, word) : undefined;
      if (child) place.command = child;
      else take(place, word);
    }
  }
  return place;
}

function take(place: Place, argument: string): void {
  place.given++;
  place.argument = argument;
}

function candidatesAt(
  { command, given, argument: last = "", option, plain }: Place,
  current: string,
): Candidates {
  const asking = { command: command.name(), argument: last, part: current, before: "" };
  if (option) return valuesOf(option, option.flags, { ...asking, part: current === "=" ? "" : current });
  const equals = current.indexOf("=");
  if (!plain && current.startsWith("--") && equals > 0) {
    const named = optionOf(command, current.slice(0, equals));
    const before = current.slice(0, equals + 1);
    if (!named) return { items: [], files: false };
    const part = current.slice(equals + 1);
    const { items, ...more } = valuesOf(named, named.flags, { ...asking, part, before });
    return {
      items: items.map(({ value, description }) => ({ value: before + value, description })),
      ...more,
    };
  }
  if (!plain && current.startsWith("-")) {
    const items = command.options
      .filter(({ hidden }) => !hidden)
      .flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
    return { items: [...items, { value: "--help", description: "Show help" }], files: false };
  }
  const children = command.createHelp().visibleCommands(command);
  if (children.length > 0 && given === 0) {
    return {
      items: children.map((child) => ({
        value: child.name(),
        description: child.summary() || child.description(),
      })),
      files: false,
    };
  }
  const named = command.registeredArguments;
  const argument = named[given] ?? (named.at(-1)?.variadic ? named.at(-1) : undefined);
  return argument ? valuesOf(argument, argument.name(), asking) : { items: [], files: false };
}

function valuesOf(
  place: Option | Argument,
  placeholder: string,
  asking: Omit<NonNullable<Candidates["asked"]>, "place">,
): Candidates {
  const items = (place.argChoices ?? []).map((value) => ({ value, description: "" }));
  if (items.length > 0) return { items, files: false };
  if (hasChoices(place)) return { items, files: false, asked: { place, ...asking } };
  return { items, files: FILES.test(placeholder) };
}

function childOf(command: Command, name: string): Command | undefined {
  return command.commands.find((child) => child.name() === name || child.aliases().includes(name));
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

/** Returns the option of a flag if its value is the next word. */
function valueOption(command: Command, flag: string): Option | undefined {
  const option = optionOf(command, flag);
  return option?.required ? option : undefined;
}
