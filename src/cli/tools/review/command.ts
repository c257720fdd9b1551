import { Option } from "commander";
import { recordOption } from "../../ask-tool.ts";
import { type Define, examples } from "../../command.ts";
import { words } from "../../options.ts";
import { CONTEXTS, FORMATS, review, SEVERITIES } from "./review.ts";

export const define: Define = (command, run) => {
  command
    .argument("[what...]", "Revisions as git diff takes them, files, folders; - reads a diff on stdin")
    .option("--staged", "What would be committed now")
    .option("--all", "Files as they are, rather than what was changed in them")
    .addOption(new Option("--format <format>", "How to print it").choices(FORMATS).default("text"))
    .addOption(new Option("--fail-on <severity>", "Exit with 3 from this severity on").choices(SEVERITIES))
    .addOption(new Option("--min-severity <severity>", "Leave out what is less severe").choices(SEVERITIES))
    .option("--only <rules>", "These rules alone, separated by commas", words)
    .option("--except <rules>", "All rules but these", words)
    .addOption(
      new Option("--context <what>", "What a change is judged by: its whole file, or only its hunk")
        .choices(CONTEXTS)
        .default("file"),
    )
    .addOption(recordOption())
    .addHelpText(
      "after",
      `${examples(
        "tool review",
        "tool review --staged --fail-on error",
        "tool review --all src",
        "tool review main...HEAD",
        "git show 1a2b3c | tool review -",
        "tool review main...HEAD --format sarif > review.sarif",
      )}

Without revisions, all that was changed since the last commit is reviewed, new files included that git
does not ignore; where files or folders are named, what is in them alone. Where there is no repository,
files are reviewed as they are, and nothing of them leaves this machine. A line (or the one above it) that says "tool-ignore <rule>: <reason>" suppresses a finding.`,
    )
    .action(run(review));
};
