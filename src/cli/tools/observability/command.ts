import { Option } from "commander";
import { type Define, examples } from "../../command.ts";
import { wholeNumber } from "../../options.ts";
import { config } from "./config.ts";
import { errors } from "./errors.ts";

export const define: Define = (command, run) => {
  command
    .command("config")
    .description("Show how programs of the project export telemetry and report errors.")
    .addOption(
      new Option("--format <format>", "env prints what a POSIX shell can eval")
        .choices(["text", "env", "json"])
        .default("text"),
    )
    .addHelpText(
      "after",
      examples("tool observability config", "source <(tool observability config --format env)"),
    )
    .action(run(config));
  command
    .command("errors")
    .description("List recent errors, those of the server and those that programs reported.")
    .option("--since <time>", "Seen since then: 2026-01-15, 2026-01-15T09:30:00Z, or 90m, 24h, 7d")
    .option("--limit <n>", "At most so many", wholeNumber(1, 200), 20)
    .option("--cursor <cursor>", "Go on behind an earlier page")
    .addHelpText(
      "after",
      examples("tool observability errors", "tool observability errors --since 24h --json"),
    )
    .action(run(errors));
};
