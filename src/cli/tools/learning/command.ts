import { Argument, type Command, Option } from "commander";
import { type Define, examples } from "../../command.ts";
import { anyNumber } from "../../options.ts";
import { benchmark, pattern } from "./contribute.ts";
import { insights } from "./insights.ts";
import { TYPES } from "./types.ts";

export const define: Define = (command, run) => {
  command
    .command("insights")
    .description("Compare the project with others like it, and see what better ones do.")
    .addOption(new Option("--type <type>", "Only of one type").choices(TYPES))
    .addHelpText("after", examples("tool learning insights", "tool learning insights --type build_duration"))
    .action(run(insights));
  withContext(command.command("benchmark"))
    .description("Record a measurement and see where the project stands.")
    .addArgument(new Argument("<type>", "What was measured").choices(TYPES))
    .argument("<value>", "The measured value", anyNumber)
    .option("--unit <unit>", "ms, s, min, h, %, share or one of your own")
    .addHelpText(
      "after",
      examples(
        "tool learning benchmark build_duration 212 --unit s --language typescript",
        "tool learning benchmark test_pass_rate 98.5 --unit %",
      ),
    )
    .action(run(benchmark));
  withContext(command.command("pattern <title> <description>"))
    .description("Share what worked, anonymously; - as the description reads it from stdin.")
    .requiredOption("--category <category>", "What it is about, such as build or testing")
    .option("--outcome <text>", "What it brought")
    .addHelpText(
      "after",
      examples('tool learning pattern "Cache node_modules" "Restore it by the lock file." --category build'),
    )
    .action(run(pattern));
  command.addHelpText("after", "\nAn admin opts the project in: tool projects set <projectId> --learning on");
};

function withContext(command: Command): Command {
  return command
    .option("--language <language>", "The project's main programming language")
    .option("--size <size>", "A word of your own, or lines of code");
}
