import type { RouteOutput } from "../../../client/routes.ts";
import { askTool } from "../../ask-tool.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { wholeNumber } from "../../options.ts";
import { textOfWords } from "../../terminal/input.ts";
import { count, spaced } from "../../ui/format.ts";
import { oneLine } from "../../ui/terminal-text.ts";
import { hanging } from "../../ui/width.ts";
import { sourcesOf } from "../context/sources.ts";

const ROUTE = "POST /api/v1/tools/context/locate";
type Located = RouteOutput<typeof ROUTE>;
type LocatedFile = Located["files"][number];

interface Options {
  in?: string[];
  limit: number;
}

/** The longest query. Of a longer text, the beginning and the end are used, since logs fail in their last lines. */
const MAX_QUERY_BYTES = 16 * 1024;
const MAX_SYMBOLS = 3;

export const define: Define = (command, run) => {
  command
    .argument("[text...]", "An issue, an error or a question; - reads it from stdin")
    .description("Find the files and functions that an issue, an error or a question is about.")
    .option("--in <paths...>", "Directories, files or quoted globs; none is the repository")
    .option("--limit <n>", "At most this many files", wholeNumber(1, 100), 10)
    .addHelpText(
      "after",
      `${examples(
        "tool locate where are refresh tokens rotated",
        "gh issue view 42 --json title,body -q '.title + \"\\n\" + .body' | tool locate -",
        "npm test 2>&1 | tool locate - --in src --json | jq -r '.files[0].path'",
      )}

The first line of a text counts twice. Everything is searched on this machine. Exit code 3: nothing was found.`,
    )
    .action(run(locate));
};

async function locate(
  context: Context,
  words: string[],
  { in: within = [], limit }: Options,
): Promise<Outcome> {
  const query = await queryFrom(context, words);
  const { items, repository } = await sourcesOf(context, within);
  const asked = askTool(context, ROUTE, { query, segments: items, limit }, { record: false, repository });
  const { answer } = await context.progress.during("Searching", asked);
  return {
    document: answer,
    lines: linesOf(answer, context),
    exitCode: answer.files.length > 0 ? EXIT.done : EXIT.negative,
    isRecorded: false,
  };
}

async function queryFrom({ io }: Context, words: readonly string[]): Promise<string> {
  const text = await textOfWords(io, words);
  if (text.trim() === "")
    throw new UsageError("There is nothing to look for.", "Say it, or pipe it: `tool locate -`.");
  if (Buffer.byteLength(text) <= MAX_QUERY_BYTES) return text;
  const half = MAX_QUERY_BYTES / 2 - 2;
  const bytes = Buffer.from(text);
  const parts = [bytes.subarray(0, half), bytes.subarray(-half)];
  return parts.map((part) => part.toString().replace(/^\ufffd+|\ufffd+$/g, "")).join("\n");
}

function linesOf({ files, searched }: Located, context: Context): string[] {
  const { style } = context.io.out;
  if (searched.files === 0) return ["There is no file here to search."];
  if (files.length === 0) return [`Nothing in ${count(searched.files, "file")} is about that.`];
  return spaced([
    ...files.map((file) => fileLines(file, context)),
    [style.dim(`${count(searched.files, "file")} searched`)],
  ]);
}

function fileLines({ path: named, reasons, symbols }: LocatedFile, { io }: Context): string[] {
  const path = oneLine(named);
  const { style, columns } = io.out;
  return [
    style.bold(path),
    ...symbols
      .slice(0, MAX_SYMBOLS)
      .map(({ name, from, to }) => `  ${path}:${from}-${to}${name ? `  ${style.cyan(name)}` : ""}`),
    ...reasons.map((reason) => style.dim(hanging("  ", reason, columns - 2))),
  ];
}
