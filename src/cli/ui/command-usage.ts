import type { Command } from "commander";

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
