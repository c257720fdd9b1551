import { type Command, Option } from "commander";
import { OF_ACCOUNT } from "../administration/key-named.ts";
import { type Define, examples } from "../command.ts";
import { CLIENTS } from "./clients.ts";
import { printConfig } from "./config.ts";
import { install, uninstall } from "./install.ts";
import { publish } from "./publish.ts";
import { serveSession } from "./session.ts";
import { upstreams } from "./upstreams.ts";
import { languages } from "./verification.ts";
import { verifyHeader } from "./verify-header.ts";

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
  inFileOf(command.command("install"))
    .description("Write it into an editor's or agent's own file, once you have seen the change.")
    .option("--tools <names>", TOOLS)
    .option("--yes", "Do not ask")
    .addHelpText(
      "after",
      examples("tool mcp install --client claude-code", "tool mcp install --client cursor --yes"),
    )
    .action(run(install));
  inFileOf(command.command("uninstall"))
    .description("Remove it from an editor's or agent's own file.")
    .option("--yes", "Do not ask")
    .addHelpText(
      "after",
      examples("tool mcp uninstall --client claude-code", "tool mcp uninstall --client vscode --yes"),
    )
    .action(run(uninstall));
  command
    .command("upstreams [name]")
    .description("List the MCP servers behind the server, or show who called which tools of one.")
    .option("--month <month>", "In another month than this one, such as 2026-11")
    .option(...OF_ACCOUNT)
    .addHelpText(
      "after",
      examples(
        "tool mcp upstreams",
        "tool mcp upstreams github --json",
        "tool mcp upstreams github --account acc_01jd0000000000000000000000",
      ),
    )
    .action(run(upstreams));
  command
    .command("verify-header [header]")
    .description("Verify the Authorization that a server behind this one received, or print code that does.")
    .option(
      "--audience <audience>",
      "Whom it must be for: the upstream's URL, unless the catalogue says other",
    )
    .addOption(new Option("--language <name>", "Of what is shown").choices(languages).default("node"))
    .addHelpText(
      "after",
      examples(
        "tool mcp verify-header --language python > identity.py",
        'tool mcp verify-header "Bearer eyJhbGciOiJFZERTQSIs..." --audience https://host/mcp',
      ),
    )
    .action(run(verifyHeader));
  command
    .command("publish <upstream>")
    .description("Print how clients connect to a server behind this one, or what publishes it.")
    .option("--name <name>", "Print server.json of the MCP Registry, under this name: com.example/files")
    .option("--release <version>", "The version that it states", "1.0.0")
    .option("--client-id <url>", "Print the client metadata document of your own command line instead")
    .addHelpText(
      "after",
      examples(
        "tool mcp publish files",
        "tool mcp publish files --name com.example/files > server.json",
        "tool mcp publish files --client-id https://example.com/cli.json > cli.json",
      ),
    )
    .action(run(publish));
};

/** Adds the option that names the client whose own file a command changes. */
function inFileOf(command: Command): Command {
  return command.addOption(
    new Option("--client <name>", "The editor or agent").choices(Object.keys(CLIENTS)).makeOptionMandatory(),
  );
}
