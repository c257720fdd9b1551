import { type Command, Option } from "commander";
import { type Define, examples } from "../../command.ts";
import { share, typedPairs, wholeNumber, words } from "../../options.ts";
import { correct, forget, store } from "./change.ts";
import { list, recall, show } from "./show.ts";
import { stats } from "./stats.ts";

export const define: Define = (command, run) => {
  withKind(command.command("store <text...>"))
    .description("Store a memory; - reads it from stdin.")
    .option("--tag <tags>", "One or more, separated by commas", words)
    .option("--importance <share>", "From 0 to 1; scored from the text if left out", share)
    .option("--agent <name>", "Whose memory it is, or who said it")
    .option("--thread <id>", "The conversation that it belongs to")
    .option("--at <time>", "When it happened, as ISO 8601; now if left out")
    .option("--expires-at <time>", "When to forget it, as ISO 8601")
    .option("--metadata <name=value>", "More about it; repeatable", typedPairs)
    .addHelpText(
      "after",
      examples(
        "tool memory store Deploys are frozen on Fridays --kind decision --tag release,ops",
        "git log -1 --format=%B | tool memory store - --thread release-42",
      ),
    )
    .action(run(store));
  withFilters(command.command("recall [words...]"))
    .description("Recall what a text is about; without one, the most important.")
    .option("--min-importance <share>", "From 0 to 1", share)
    .addOption(
      new Option("--order <order>", "Only by relevance, or weighed by importance, age and use")
        .choices(["weighed", "relevance"])
        .default("weighed"),
    )
    .option("--limit <n>", "At most this many", wholeNumber(1, 200), 10)
    .addHelpText(
      "after",
      examples("tool memory recall when may we deploy", "tool memory recall --agent ada --tag ops"),
    )
    .action(run(recall));
  withFilters(command.command("list"))
    .description("List memories, newest first.")
    .addOption(
      new Option("--sort <order>", "With a minus before it, the largest first").choices([
        "createdAt",
        "-createdAt",
        "at",
        "-at",
        "importance",
        "-importance",
        "uses",
        "-uses",
      ]),
    )
    .option("--limit <n>", "At most this many", wholeNumber(1, 200), 50)
    .option("--cursor <cursor>", "The nextCursor of the page before")
    .addHelpText("after", examples("tool memory list", "tool memory list --agent ada --sort=-uses"))
    .action(run(list));
  command
    .command("show <memoryId>")
    .description("Show a memory, what superseded it and what it superseded.")
    .addHelpText("after", examples("tool memory show mem_01jd2x6y7z8a9b0c1d2e3f4g5h"))
    .action(run(show));
  withKind(command.command("correct <memoryId> [text...]"))
    .description("Correct a memory in place; - reads the text from stdin.")
    .option("--tag <tags>", "One or more instead of those it has, separated by commas", words)
    .option("--importance <share>", "From 0 to 1", share)
    .addHelpText(
      "after",
      examples("tool memory correct mem_01jd2x6y7z8a9b0c1d2e3f4g5h Deploys are frozen on Thursdays"),
    )
    .action(run(correct));
  command
    .command("stats")
    .description("Show what is remembered.")
    .addHelpText("after", examples("tool memory stats"))
    .action(run(stats));
  command
    .command("forget <memoryId...>")
    .description("Forget memories for good.")
    .addHelpText("after", examples("tool memory forget mem_01jd2x6y7z8a9b0c1d2e3f4g5h"))
    .action(run(forget));
};

function withFilters(command: Command): Command {
  return withKind(command)
    .option("--agent <name>", "Only of this agent")
    .option("--thread <id>", "Only of this conversation")
    .option("--tag <tag>", "Only with this tag");
}

function withKind(command: Command): Command {
  return command.addOption(
    new Option("--kind <kind>", "What kind of memory").choices([
      "fact",
      "decision",
      "preference",
      "procedure",
      "event",
    ]),
  );
}
