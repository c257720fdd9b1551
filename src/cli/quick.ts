import type { Outcome } from "./command.ts";
import type { Context } from "./context.ts";
import { COMMON_OPTIONS, type CommonOptions, type OptionSpec } from "./options.ts";
import { fail, perform, runProcess } from "./perform.ts";
import type { Io } from "./terminal/io.ts";
import { RECORD_OPTIONS, recordEvent } from "./usage/record-event.ts";
import { TRACK_OPTIONS, trackUse } from "./usage/track-use.ts";
import { USAGE_TYPES } from "./usage/usage-types.ts";

/**
 * A command that scripts run often. It starts from a bundle of its own, without commander and most of the program.
 * Anything but its plain form (help, a mistake, an option before the command) is left to the full program.
 */
interface QuickCommand {
  words: readonly string[];
  takes(argument: string): boolean;
  options: readonly OptionSpec[];
  run(context: Context, argument: string, options: object): Promise<Outcome>;
}

const QUICK: readonly QuickCommand[] = [
  {
    words: ["track"],
    takes: (type) => (USAGE_TYPES as readonly string[]).includes(type),
    options: TRACK_OPTIONS,
    run: (context, type, options) => trackUse(context, type as (typeof USAGE_TYPES)[number], options),
  },
  {
    words: ["events", "record"],
    takes: (name) => name.trim() !== "",
    options: RECORD_OPTIONS,
    run: recordEvent,
  },
];

/** Starts a quick command; `bin/tool.js` calls it first. Returns false if the full program has to run instead. */
export function start(words: readonly string[]): boolean {
  const read = readQuickly(words);
  if (read) void runProcess((io) => run(io, words, read));
  return read !== undefined;
}

async function run(
  io: Io,
  words: readonly string[],
  { command, argument, common, own }: Read,
): Promise<number> {
  // Scripts must not hang for a line that only confirms what was done.
  io.awaitsReader = false;
  try {
    const work = (context: Context) => command.run(context, argument, own);
    return await perform(io, { group: "Usage and entitlements:" }, command.words.join(" "), common, work);
  } catch (error) {
    return fail(io, words, error);
  }
}

interface Read {
  command: QuickCommand;
  argument: string;
  common: CommonOptions;
  /** The command's own options, by the names that commander gives them. */
  own: Record<string, unknown>;
}

/** Parses the words as commander does. Returns undefined if commander might print something or fail. */
export function readQuickly(words: readonly string[]): Read | undefined {
  const command = QUICK.find((each) => each.words.every((word, index) => words[index] === word));
  if (!command) return undefined;
  const own: Record<string, unknown> = {};
  const common: Record<string, unknown> = {};
  const named: string[] = [];
  const left = words.slice(command.words.length);
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (!word.startsWith("-")) {
      named.push(word);
      continue;
    }
    const into = optionIn(command.options, word) ? own : common;
    const option = optionIn([...command.options, ...COMMON_OPTIONS], word);
    if (!option || !readOption(option, left, into)) return undefined;
  }
  const [argument, ...more] = named;
  const plain = argument !== undefined && more.length === 0 && command.takes(argument);
  return plain ? { command, argument, common, own } : undefined;
}

function optionIn(options: readonly OptionSpec[], word: string): OptionSpec | undefined {
  return options.find(([flags]) => flags.split(" ")[0] === word);
}

/** Reads an option, taking its value from `left`. Returns false if the value is missing or invalid. */
function readOption([flags, , read]: OptionSpec, left: string[], into: Record<string, unknown>): boolean {
  const [flag = "", placeholder] = flags.slice(2).split(" ");
  const name = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (placeholder === undefined) {
    into[name] = true;
    return true;
  }
  const text = left.shift();
  if (text === undefined || text.trim() === "" || text.startsWith("-")) return false;
  try {
    into[name] = read ? read(text, into[name] as never) : text;
    return true;
  } catch {
    return false;
  }
}
