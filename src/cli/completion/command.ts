import { Argument } from "commander";
import { type Define, examples } from "../command.ts";
import { COMPLETION_SCRIPTS } from "./completion-scripts.ts";

type Shell = keyof typeof COMPLETION_SCRIPTS;

export const define: Define = (command, run) => {
  command
    .addArgument(new Argument("<shell>", "Whose script").choices(Object.keys(COMPLETION_SCRIPTS)))
    .addHelpText(
      "after",
      examples(
        "source <(tool completion bash)    # in ~/.bashrc",
        "source <(tool completion zsh)     # in ~/.zshrc, after compinit",
        "tool completion fish | source     # in ~/.config/fish/config.fish",
        "tool completion powershell | Out-String | Invoke-Expression    # in $PROFILE",
      ),
    )
    .action(
      run(async (_context, shell: Shell) => ({
        document: { shell, script: COMPLETION_SCRIPTS[shell] },
        raw: COMPLETION_SCRIPTS[shell],
      })),
    );
};
