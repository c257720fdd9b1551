import { Argument, Option } from "commander";
import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { wholeNumber } from "../../options.ts";
import { relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { categoryName, chance, placeOf } from "../diagnose/report.ts";

type Record = RouteInput<"POST /api/v1/tools/self-healing/record">;
type History = RouteOutput<"GET /api/v1/tools/self-healing/history">["items"];
type Category = NonNullable<RouteInput<"GET /api/v1/tools/self-healing/history">["category"]>;

/** The categories of diagnoses. Not imported from the contract, which would load all of its schemas. */
const CATEGORIES: readonly Category[] = [
  "dependency_resolution",
  "compile_error",
  "type_error",
  "test_failure",
  "lint",
  "out_of_memory",
  "timeout",
  "network",
  "permission",
  "disk_full",
  "missing_file",
  "configuration",
  "version_mismatch",
  "flaky",
  "infrastructure",
  "unknown",
];

export const define: Define = (command, run) => {
  command
    .command("record <failure>")
    .description("Record whether a fix worked, for a diagnosis (dia_…) or a fingerprint (fp_…).")
    .addArgument(new Argument("<outcome>", "How it went").choices(["success", "failure"]))
    .option("--suggestion <id>", "The suggestion that was tried")
    .option("--fix <text>", "What was done, in words of your own")
    .option("--note <text>", "What else is worth knowing")
    .addHelpText(
      "after",
      examples(
        "tool self-healing record dia_01jd2x6y7z8a9b0c1d2e3f4g5h success --suggestion node-clean-install",
        'tool self-healing record fp_0a1b2c3d4e5f60718293a4b5 success --fix "Raised the heap to 4 GB"',
      ),
    )
    .action(run(record));
  command
    .command("history")
    .description("List diagnoses, newest first, with what was recorded about them.")
    .addOption(new Option("--category <category>", "Only of one kind").choices(CATEGORIES))
    .option("--limit <n>", "At most this many", wholeNumber(1, 200), 20)
    .addHelpText(
      "after",
      examples("tool self-healing history", "tool self-healing history --category network"),
    )
    .action(run(history));
  command
    .command("show <diagnosisId>")
    .description("Show a diagnosis with its suggestions, as they rank now.")
    .addHelpText("after", examples("tool self-healing show dia_01jd2x6y7z8a9b0c1d2e3f4g5h"))
    .action(run(show));
  command
    .command("delete <diagnosisId...>")
    .description("Delete diagnoses for good; with a failure's last one, also what was recorded for it.")
    .addHelpText("after", examples("tool self-healing delete dia_01jd2x6y7z8a9b0c1d2e3f4g5h"))
    .action(run(remove));
};

async function record(
  { client, io }: Context,
  failure: string,
  outcome: Record["outcome"],
  { suggestion, fix, note }: { suggestion?: string; fix?: string; note?: string },
): Promise<Outcome> {
  const recorded = await client.call("POST /api/v1/tools/self-healing/record", {
    ...(failure.startsWith("fp_") ? { fingerprint: failure } : { diagnosisId: failure }),
    outcome,
    suggestionId: suggestion,
    fix,
    note,
  });
  const { successRate, attempts, title } = recorded.suggestion ?? {};
  const rate = successRate ? `: ${chance(successRate.mid, attempts ?? 0)}` : "";
  const what = title === undefined ? "" : ` of "${title}"${rate}`;
  return {
    document: recorded,
    lines: [`${io.out.marks.done} Recorded the ${outcome}${what}`],
  };
}

async function history(
  context: Context,
  { category, limit }: { category?: Category; limit: number },
): Promise<Outcome> {
  const found = await context.client.call("GET /api/v1/tools/self-healing/history", { category, limit });
  const none = category
    ? `No diagnosis is of the category ${category}.`
    : "Nothing was diagnosed yet. Begin with: tool diagnose -- <command>";
  return { document: found, lines: found.items.length > 0 ? rowsOf(found.items, context) : [none] };
}

async function show({ client, clock, io }: Context, diagnosisId: string): Promise<Outcome> {
  const shown = await client.call("GET /api/v1/tools/self-healing/{diagnosisId}", { diagnosisId });
  const { diagnosis, suggestions, seen } = shown;
  const { at, category, cause, command, outcomes } = diagnosis;
  const { style } = io.out;
  const when = relativeTime(at, clock.now());
  const lines = [
    `${style.bold(cause ? categoryName(category) : "Nothing failed")} ${style.dim(`${when}, ${diagnosisId}`)}`,
    ...(command === undefined ? [] : [style.dim(`$ ${command}`)]),
    ...(cause ? [[placeOf(cause), cause.message].filter(Boolean).join(" ")] : []),
    ...(seen && seen.count > 1 ? [style.dim(`It came ${seen.count} times.`)] : []),
    ...suggestions.flatMap(({ id, title, command, successRate, attempts }) => [
      "",
      `${title} ${style.dim(id)}`,
      ...(command === undefined ? [] : [style.cyan(`  ${command}`)]),
      ...(successRate ? [style.dim(`  ${chance(successRate.mid, attempts)}`)] : []),
    ]),
    ...outcomes.map(({ outcome, fix, suggestionId, note }) =>
      style.dim(`${outcome}: ${[fix ?? suggestionId, note].filter(Boolean).join(", ")}`),
    ),
  ];
  return { document: shown, lines };
}

async function remove({ client, io }: Context, ids: string[]): Promise<Outcome> {
  for (const diagnosisId of ids) {
    await client.call("DELETE /api/v1/tools/self-healing/{diagnosisId}", { diagnosisId });
  }
  return { document: { deleted: ids }, lines: ids.map((id) => `${io.out.marks.done} ${id} deleted`) };
}

function rowsOf(items: History, { clock, io }: Context): string[] {
  const columns = [
    { title: "Diagnosis" },
    { title: "When" },
    { title: "Kind" },
    { title: "Outcome" },
    { title: "Cause", shrink: true },
  ];
  const rows = items.map(({ diagnosisId, at, category, cause, outcomes }) => [
    diagnosisId,
    relativeTime(at, clock.now()),
    cause ? categoryName(category) : "",
    outcomes.at(-1)?.outcome ?? "",
    cause ? [placeOf(cause), cause.message].filter(Boolean).join(" ") : "nothing failed",
  ]);
  return table(columns, rows, io.out);
}
