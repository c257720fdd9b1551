import { choicesOf } from "../choices.ts";
import type { CommandEntry, Define } from "../command.ts";
import type { Context } from "../context.ts";
import { completeOptions, rootCommand } from "../root-command.ts";
import { type Candidates, complete } from "./completion.ts";

/** Returns the command that the scripts of `tool completion` run at each TAB: `tool complete -- keys cre`. */
export const completing =
  (commands: readonly CommandEntry[]): Define =>
  (command, run) => {
    command.argument("[words...]").action(
      run(async (context, words: string[]) => {
        const { io } = context;
        const root = rootCommand(io, commands);
        const entry = commands.find(({ name }) => words.slice(0, -1).includes(name));
        const called = root.commands.find((child) => child.name() === entry?.name);
        if (entry && called) {
          (await entry.load()).define(called, () => async () => {});
          completeOptions(called);
        }
        const { items: known, files, asked } = complete(root, words);
        const items = asked ? await itemsOf(context, asked) : known;
        return {
          document: { items, files },
          raw: [
            ...items.map(({ value, description }) => `${value}\t${description}\n`),
            files ? ":files\n" : "",
          ].join(""),
        };
      }),
    );
  };

/** The longest that a completion waits for the server. */
const PATIENCE_MS = 800;

async function itemsOf(
  context: Context,
  { place, command, argument, part, before }: NonNullable<Candidates["asked"]>,
): Promise<Candidates["items"]> {
  const late = context.clock.sleep(PATIENCE_MS).then(() => []);
  const choices = await Promise.race([choicesOf(place, context, { command, argument, part }), late]);
  return choices
    .filter(({ value }) => value.startsWith(part) && !HIDDEN.test(value))
    .map(({ value, description }) => ({ value: before + value, description: lineOf(description) }));
}

/** Control and invisible characters. The text after a line break would become a candidate of its own. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const MAX_SHOWN = 100;

/** Returns a description as one short line. It is untrusted: anyone with a project's DSN can write error messages. */
function lineOf(description: string): string {
  return description
    .slice(0, 10 * MAX_SHOWN)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_SHOWN);
}
