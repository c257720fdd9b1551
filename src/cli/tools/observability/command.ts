import { Option } from "commander";
import { type Define, examples } from "../../command.ts";
import { withPage } from "../errors/command.ts";
import { list } from "../errors/list.ts";
import { config } from "./config.ts";

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
  withPage(command.command("errors"))
    .description("List recent errors, those of the server and those that programs reported.")
    .addHelpText(
      "after",
      examples("tool observability errors", "tool observability errors --since 24h --json"),
    )
    .action(run(list));
};
