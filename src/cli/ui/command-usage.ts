import type { Command } from "commander";

/** Returns the words that name a command, from `tool` on. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Returns the usage of a command: its arguments, required options and a placeholder for the others. */
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

/** Private members of commander: the text given to `usage()`, and the action. */
interface Kept {
  _usage?: string;
  _actionHandler?: unknown;
}

export function runsByItself(command: Command): boolean {
  return Boolean((command as unknown as Kept)._actionHandler);
}
