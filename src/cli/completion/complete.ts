import type { Define } from "../command.ts";
import { COMMANDS } from "../command-table.ts";
import { completeOptions, rootCommand } from "../root-command.ts";
import { complete } from "./completion.ts";

/** What the scripts of `tool completion` call at each TAB: `tool complete -- keys cre`. */
export const define: Define = (command, run) => {
  command.argument("[words...]").action(
    run(async ({ io }, words: string[]) => {
      const root = rootCommand(io);
      const entry = COMMANDS.find(({ name }) => words.slice(0, -1).includes(name));
      const called = root.commands.find((child) => child.name() === entry?.name);
      if (entry && called) {
        (await entry.load()).define(called, () => async () => {});
        completeOptions(called);
      }
      const { items, files } = complete(root, words);
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
