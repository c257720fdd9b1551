import { command, configuration, within } from "./suggestion.ts";

export const shell = within("shell", [
  command(
    { signatures: ["bad-interpreter"] },
    "shell-line-ends",
    "Give the script Unix line ends and the right interpreter",
    "A carriage return at the end of the first line becomes part of the interpreter's name.",
    "sed -i 's/\\r$//' {file}",
  ),
  command(
    { signatures: ["shell-syntax"], categories: ["configuration"] },
    "shell-check",
    "Check the script",
    "ShellCheck finds the unclosed quote or the missing keyword; sh is not bash.",
    "shellcheck {file}",
  ),
  configuration(
    { signatures: ["variable-missing"] },
    "shell-variable",
    "Set the variable in the environment of the build",
    "Secrets of a repository are not given to builds of forks.",
    undefined,
  ),
]);
