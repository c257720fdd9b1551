import { type Command, Option } from "commander";
import { type Define, examples } from "../../command.ts";
import { anyNumber, typedPairs, wholeNumber } from "../../options.ts";
import { add, link } from "./change.ts";
import { impact, path, search, show } from "./show.ts";
import { importFile, scan } from "./transfer.ts";

export const define: Define = (command, run) => {
  command
    .command("add <name>")
    .description("Add an entity, or replace the one with its id.")
    .requiredOption("--type <type>", "What kind of thing it is")
    .option("--id <id>", "Made up where it is left out")
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
    .option("--type <type>", "Entities of this type alone")
    .option("--limit <n>", "At most so many", wholeNumber(1, 200), 20)
    .addHelpText("after", examples("tool graph search payment service", "tool graph search auth --type file"))
    .action(run(search));
  withWays(command.command("impact <entityId>"))
    .description("Show everything within some hops of an entity, and how it is reached.")
    .option("--depth <n>", "How many hops", wholeNumber(1, 20), 2)
    .addHelpText(
      "after",
      examples("tool graph impact billing", "tool graph impact src/store.ts --direction in"),
    )
    .action(run(impact));
  withWays(command.command("path <from> <to>"))
    .description("Show a shortest path between two entities.")
    .addHelpText("after", examples("tool graph path web billing"))
    .action(run(path));
  command
    .command("show")
    .description("Show what the graph holds, or print all of it.")
    .addOption(
      new Option("--format <format>", "Print all of it").choices(["json", "mermaid", "dot", "graphml"]),
    )
    .addHelpText("after", examples("tool graph show", "tool graph show --format dot | dot -Tsvg > graph.svg"))
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
    .description("Import what the files of a repository import (JavaScript, TypeScript, Python).")
    .option("--dry-run", "Print it instead")
    .addHelpText("after", examples("tool graph scan", "tool graph scan services/api --dry-run"))
    .action(run(scan));
};

function withWays(command: Command): Command {
  return command
    .addOption(
      new Option("--direction <way>", "Which way to follow relationships")
        .choices(["both", "out", "in"])
        .default("both"),
    )
    .option("--type <type>", "Follow relationships of this type alone");
}
