import { Option } from "commander";
import { recordOption } from "../../ask-tool.ts";
import { type Define, examples } from "../../command.ts";
import { anyNumber, wholeNumber } from "../../options.ts";
import { analyze } from "./analyze.ts";
import { apply, dismiss, reopen } from "./decide.ts";
import { history } from "./history.ts";
import { settings, type ValueOrNone } from "./settings.ts";
import { SEVERITIES } from "./severity.ts";

const SHAPES = `
Files:
  JSON  { "seconds": [98, 104],
          "tests": [{ "at": "2026-01-05T10:00Z", "value": 31 }] }
        or a whole request { "metrics": …, "sessionId": … }, or one list with
        --metric, or rows as of CSV, in a list or one a line:
        { "at": "2026-01-05T10:00Z", "seconds": 98 },
        or what the HTTP API of Prometheus answers to query_range
  CSV   names in the first row, a metric a column, times under "at" (or "time",
        "timestamp", "date", "datetime", "ts"), or rows of "metric" and
        "value"; separated by commas, semicolons or tabs, or by what a first
        line "sep=|" says, in UTF-8 or UTF-16. Columns without numbers are left
        out, and without names a table of one metric is a list`;

export const define: Define = (command, run) => {
  command
    .command("analyze [file]")
    .description("Find anomalies in the metrics of a file, or of stdin.")
    .option("--metric <name>", "Only of this metric; names a file that is one list")
    .option("--session <id>", "Which session this is")
    .addOption(
      new Option("--sensitivity <level>", "How strange is strange enough").choices(["low", "medium", "high"]),
    )
    .addOption(
      new Option("--fail-on <severity>", "Exit 3 if an anomaly is at least so severe").choices(SEVERITIES),
    )
    .addOption(recordOption())
    .addHelpText(
      "after",
      examples(
        "tool anomalies analyze metrics.json",
        "tool anomalies analyze builds.csv --metric seconds --fail-on high",
        "make-metrics | tool anomalies analyze --json",
      ),
    )
    .addHelpText("after", SHAPES)
    .action(run((context, file: string | undefined, options) => analyze(context, file ?? "-", options)));
  command
    .command("history")
    .description("List the project's anomalies, newest first.")
    .addOption(new Option("--state <state>", "Only of this state").choices(["open", "dismissed", "applied"]))
    .option("--metric <name>", "Only of this metric")
    .addOption(new Option("--severity <severity>", "Only of this severity").choices(SEVERITIES))
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 20)
    .addHelpText("after", examples("tool anomalies history --state open"))
    .action(run(history));
  command
    .command("dismiss <anomalyId>")
    .description("Dismiss an anomaly; similar ones are scored lower from then on.")
    .option("--reason <text>", "Why")
    .addHelpText(
      "after",
      examples('tool anomalies dismiss ano_01jd0000000000000000000000 --reason "load test"'),
    )
    .action(run(dismiss));
  command
    .command("apply <anomalyId>")
    .description("Do what an anomaly suggests, and show how to undo it.")
    .addHelpText("after", examples("tool anomalies apply ano_01jd0000000000000000000000"))
    .action(run(apply));
  command
    .command("reopen <anomalyId>")
    .description("Undo the decision on an anomaly.")
    .addHelpText("after", examples("tool anomalies reopen ano_01jd0000000000000000000000"))
    .action(run(reopen));
  command
    .command("settings [metric]")
    .description("List what was set and dismissed, or set the thresholds of a metric.")
    .option("--low <value>", "Report values below this; none removes it", valueOrNone)
    .option("--high <value>", "Report values above this; none removes it", valueOrNone)
    .option("--max-gap <ms>", "Report longer pauses; none goes by what is usual", valueOrNone)
    .addHelpText(
      "after",
      examples("tool anomalies settings", "tool anomalies settings build_seconds --high 600 --low none"),
    )
    .action(run(settings));
};

function valueOrNone(text: string): ValueOrNone {
  return text === "none" ? text : anyNumber(text);
}
