import { type Command, Option } from "commander";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { wholeNumber } from "../../options.ts";
import { unlessInterrupted } from "../../terminal/interruption.ts";
import { change } from "./change.ts";
import { list } from "./list.ts";
import { show } from "./show.ts";
import { start } from "./start.ts";
import { end, handoff } from "./turns.ts";
import { watch } from "./watch.ts";

export const define: Define = (command, run) => {
  command
    .command("start [files...]")
    .description("Start a session with these files; you drive.")
    .requiredOption("--with <who>", "Who navigates; repeatable", names)
    .option("--as <who>", "Your name in the session (default: your user name)")
    .option("--title <text>", "What it is about")
    .addHelpText(
      "after",
      examples(
        "tool pair start src/parser.ts --with bob",
        'tool pair start src/*.ts --with bob --title "Fix #42"',
      ),
    )
    .action(run(endsOnInterrupt(start)));
  command
    .command("list")
    .description("List sessions, the latest first.")
    .addOption(new Option("--state <state>", "Only of this state").choices(["active", "ended"]))
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 20)
    .addHelpText("after", examples("tool pair list", "tool pair list --state active"))
    .action(run(endsOnInterrupt(list)));
  command
    .command("show <session> [file]")
    .description("Show a session, or print one of its files.")
    .option("--write", "Write its files, or the one, into this directory")
    .option("--force", "Also over files that have changes of their own here")
    .addHelpText(
      "after",
      examples(
        "tool pair show pair_01k…",
        "tool pair show pair_01k… src/parser.ts",
        "tool pair show pair_01k… --write",
      ),
    )
    .action(run(endsOnInterrupt(show)));
  asWhom(command.command("change <session> <file>"))
    .description("Send what changed in a file here, and take in what others changed.")
    .option("--message <text>", "What the change is for")
    .option("--latest", "Compare with its latest revision, not with the one last read here")
    .addHelpText("after", examples('tool pair change pair_01k… src/parser.ts --message "Handle CRLF"'))
    .action(run(endsOnInterrupt(change)));
  command
    .command("handoff <session> [to]")
    .description("Let a navigator drive. With two people, no name is needed.")
    .option("--from <who>", "The driver who hands off, if there are several")
    .addHelpText("after", examples("tool pair handoff pair_01k…", "tool pair handoff pair_01k… carol"))
    .action(run(endsOnInterrupt(handoff)));
  command
    .command("watch <session>")
    .description("Follow a session live: who drives, and every change as it comes.")
    .option("--lines <n>", "Lines shown of a change", wholeNumber(1, 1000), 12)
    .addHelpText(
      "after",
      `${examples("tool pair watch pair_01k…", "tool pair watch pair_01k… --json | jq .data.path")}

With --json, one JSON document a line: { "event", "id", "data" }. It ends with the session.`,
    )
    .action(run(watch));
  command
    .command("end <session>")
    .description("End a session; it can be read from then on.")
    .addHelpText("after", examples("tool pair end pair_01k…"))
    .action(run(endsOnInterrupt(end)));
};

function asWhom(command: Command): Command {
  return command.option(
    "--as <who>",
    "Your name in the session (default: the one used before, or your user name)",
  );
}

function names(name: string, before: string[] = []): string[] {
  return [...before, name];
}

/** Wraps a short command so that Ctrl-C ends it at once, while `watch` cleans up first. */
function endsOnInterrupt<Given extends unknown[]>(
  work: (context: Context, ...given: Given) => Promise<Outcome>,
) {
  return (context: Context, ...given: Given): Promise<Outcome> => {
    return context.progress.during("Waiting", unlessInterrupted(context.io, work(context, ...given)));
  };
}
