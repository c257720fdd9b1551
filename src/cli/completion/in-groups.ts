import { Command } from "commander";
import { COMMANDS } from "../command-table.ts";

/** More than these are no help: many groups have a `list`. */
const MOST = 3;

/** Returns the commands of groups that have a name, such as `graph impact` for `impact`, unless they are many. */
export async function commandsInGroups(name: string): Promise<string[]> {
  const groups = await Promise.all(
    COMMANDS.map(async (entry) => {
      const group = new Command(entry.name);
      (await entry.load()).define(group, () => async () => {});
      return group;
    }),
  );
  const named = groups.flatMap((group) =>
    group.commands.filter((each) => each.name() === name).map(() => `${group.name()} ${name}`),
  );
  return named.length > MOST ? [] : named;
}
