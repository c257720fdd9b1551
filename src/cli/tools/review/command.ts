import { Option } from "commander";
import { recordOption } from "../../ask-tool.ts";
import { type Define, examples } from "../../command.ts";
import { someWords, words } from "../../options.ts";
import { CONTEXTS, FORMATS, review, SEVERITIES } from "./review.ts";

export const define: Define = (command, run) => {
  command
    .argument("[what...]", "Revisions as git diff takes them, files, folders; - reads a diff on stdin")
    .option("--staged", "What would be committed now")
    .option("--all", "Whole files, changed or not")
    .addOption(new Option("--format <format>", "How to print it").choices(FORMATS).default("text"))
    .addOption(new Option("--fail-on <severity>", "Exit with 3 from this severity on").choices(SEVERITIES))
    .addOption(new Option("--min-severity <severity>", "Leave out what is less severe").choices(SEVERITIES))
    .option("--only <rules>", "Only these rules, separated by commas", someWords)
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

Without revisions, everything changed since the last commit is reviewed, with new files that git does
not ignore. If you name files or folders, only these are reviewed. Without a repository, files are
reviewed as they are, and nothing of them leaves this machine. A line (or the one above it) that says "tool-ignore <rule>: <reason>" suppresses a finding.`,
    )
    .action(run(review));
};
