import { type Command, Option } from "commander";
import { type Define, examples } from "../../command.ts";
import { wholeNumber } from "../../options.ts";
import { ignore, remove, reopen, resolve } from "./decide.ts";
import { list } from "./list.ts";
import { show } from "./show.ts";

const ID = "err_20b7219673d2ef29dd72139e";

export const define: Define = (command, run) => {
  withPage(command.command("list"))
    .description("List the project's errors, grouped, most recently seen first.")
    .addOption(new Option("--state <state>", "Only of this state").choices(["open", "resolved", "ignored"]))
    .option("--query <words>", "With these words in type, message or route")
    .option("--release <release>", "Seen in this release")
    .option("--environment <name>", "Seen in this environment")
    .addOption(
      new Option("--sort <order>", "Latest or most often first").choices(["lastSeen", "firstSeen", "count"]),
    )
    .addHelpText(
      "after",
      examples(
        "tool errors list --state open --since 24h",
        "tool errors list --release shop@1.4.0 --sort count",
      ),
    )
    .action(run(list));
  command
    .command("show <fingerprint>")
    .description("Show an error with its trend, releases, stack and last occurrences.")
    .addHelpText("after", examples(`tool errors show ${ID}`))
    .action(run(show));
  command
    .command("resolve <fingerprint...>")
    .description("Resolve errors; one that happens again is open again, as a regression.")
    .option("--next-release", "It comes back only in a release that was not seen before")
    .addHelpText("after", examples(`tool errors resolve ${ID}`, `tool errors resolve ${ID} --next-release`))
    .action(run(resolve));
  command
    .command("ignore <fingerprint...>")
    .description("Ignore errors for good, until they happen more often, or for a time.")
    .option("--more <n>", "Until they have happened this many more times", wholeNumber(1, 1_000_000_000))
    .option("--until <time>", "Until then: 2026-03-01, 2026-03-01T09:30:00Z, or 24h, 7d")
    .addHelpText(
      "after",
      examples(`tool errors ignore ${ID} --until 7d`, `tool errors ignore ${ID} --more 100`),
    )
    .action(run(ignore));
  command
    .command("reopen <fingerprint...>")
    .description("Open errors again that were resolved or ignored.")
    .addHelpText("after", examples(`tool errors reopen ${ID}`))
    .action(run(reopen));
  command
    .command("delete <fingerprint>")
    .description("Delete an error and what is known of it.")
    .addHelpText("after", examples(`tool errors delete ${ID}`))
    .action(run(remove));
};

/** Adds the options of every list of errors. */
export function withPage(command: Command): Command {
  return command
    .option("--since <time>", "Seen since then: 2026-01-15, 2026-01-15T09:30:00Z, or 90m, 24h, 7d")
    .option("--limit <n>", "At most this many", wholeNumber(1, 200), 20)
    .option("--cursor <cursor>", "Go on behind an earlier page");
}
