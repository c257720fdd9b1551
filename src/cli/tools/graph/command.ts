import { type Command, Option } from "commander";
import { recordOption } from "../../ask-tool.ts";
import { type Define, examples } from "../../command.ts";
import { anyNumber, typedPairs, wholeNumber } from "../../options.ts";
import { add, link } from "./change.ts";
import { impact } from "./impact.ts";
import { path } from "./path.ts";
import { scan } from "./scan.ts";
import { search } from "./search.ts";
import { show } from "./show-here.ts";
import { importFile } from "./transfer.ts";

export const define: Define = (command, run) => {
  command
    .command("add <name>")
    .description("Add an entity, or replace the one with its id.")
    .requiredOption("--type <type>", "What kind of thing it is")
    .option("--id <id>", "Made up if left out")
    .option("--property <name=value>", "More about it; repeatable", typedPairs)
    .addHelpText(
      "after",
      examples('tool graph add "Billing API" --type service --id billing --property lang=Go'),
    )
    .action(run(add));
  command
    .command("link <from> <type> <to>")
    .description("Relate two entities, named by their ids.")
    .option("--weight <n>", "How strongly", anyNumber)
    .option("--property <name=value>", "More about it; repeatable", typedPairs)
    .addHelpText("after", examples("tool graph link web calls billing"))
    .action(run(link));
  command
    .command("search <words...>")
    .description("Find entities by name, type and properties.")
    .option("--type <type>", "Only entities of this type")
    .option("--limit <n>", "At most this many", wholeNumber(1, 200), 20)
    .addHelpText(
      "after",
      `${examples("tool graph search payment service", "tool graph search auth --type file")}

Exit code 3: nothing matches.`,
    )
    .action(run(search));
  withWays(command.command("impact [file]"))
    .description("Show what breaks if a file changes: all that depends on it, and the tests to run.")
    .option("--diff [commit]", "Of all that was changed since the last commit, or since this one")
    .option(
      "--depth <n>",
      "Within this many hops (default: any number; 2 for what was recorded)",
      wholeNumber(1, 20),
    )
    .option("--limit <n>", "List at most this many", wholeNumber(1, 1_000_000), 20)
    .addHelpText(
      "after",
      `${examples(
        "tool graph impact src/store.ts",
        "tool graph impact --diff",
        "tool graph impact --diff main",
        "tool graph impact billing --depth 3",
      )}

Exit code 3: the file's language is not followed, so nothing is known.`,
    )
    .action(run(impact));
  withWays(command.command("path <from> <to>"))
    .description("Show a shortest path between two files, or two recorded entities.")
    .addHelpText(
      "after",
      `${examples("tool graph path src/cli.ts src/store.ts", "tool graph path web billing")}

Exit code 3: no path leads there.`,
    )
    .action(run(path));
  command
    .command("show [file]")
    .description("Show a file, the repository here, or what the project recorded; or print all of it.")
    .addOption(
      new Option("--format <format>", "Print all of it").choices(["json", "mermaid", "dot", "graphml"]),
    )
    .option("--recorded", "What the project recorded on the server")
    .addHelpText(
      "after",
      examples(
        "tool graph show",
        "tool graph show src/store.ts",
        "tool graph show --format dot | dot -Tsvg > graph.svg",
      ),
    )
    .action(run(show));
  command
    .command("import <file>")
    .description(
      'Import { "entities": […], "relationships": […] }, as `show --format json` prints it; - is stdin.',
    )
    .addHelpText("after", examples("tool graph import graph.json", "make-graph | tool graph import -"))
    .action(run(importFile));
  command
    .command("scan [directory]")
    .description(
      "Read a repository (JavaScript, TypeScript, Python, Go, Rust, Java, Kotlin, Scala, C#, PHP, Ruby, Swift, Dart, C, C++): which file needs which, and what they define.",
    )
    .option("--dry-run", "Print the graph that would be recorded")
    .addOption(recordOption())
    .addHelpText("after", examples("tool graph scan", "tool graph scan services/api --dry-run"))
    .action(run(scan));
};

function withWays(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--direction <way>",
        "Which way to follow: what depends on it (in), what it depends on (out), or both",
      ).choices(["both", "out", "in"]),
    )
    .option("--type <type>", "Of what was recorded: only relationships of this type");
}
