import { Option } from "commander";
import { type Define, examples } from "../command.ts";
import { CLIENTS, printConfig } from "./config.ts";
import { serveSession } from "./session.ts";

const TOOLS = "Which tools or areas of them, such as agent_memory_recall,scheduler; or all";

export const define: Define = (command, run) => {
  command
    .option("--tools <names>", TOOLS, "default")
    .option("--json", "Print a failure as one JSON document")
    .option("--base-url <url>", "The server to talk to")
    .option("--project <id>", "The project to act in")
    .option("--verbose", "Show requests on stderr, without secrets")
    .addHelpText("after", examples("tool mcp", "tool mcp --tools all", "tool mcp --tools default,pair"))
    .action(run(serveSession));
  command
    .command("config")
    .description("Print what an editor needs to start it.")
    .addOption(
      new Option("--client <name>", "The editor or agent").choices(Object.keys(CLIENTS)).default("claude"),
    )
    .option("--tools <names>", TOOLS)
    .addHelpText(
      "after",
      examples(
        "tool mcp config > .mcp.json",
        "tool mcp config --client vscode --tools all",
        "tool mcp config --client codex --project web >> ~/.codex/config.toml",
      ),
    )
    .action(run(printConfig));
};
