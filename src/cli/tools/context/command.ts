import { InvalidArgumentError, Option } from "commander";
import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { wholeNumber } from "../../options.ts";
import { readText } from "../../terminal/input.ts";
import { count, number } from "../../ui/format.ts";

type Request = RouteInput<"POST /api/v1/tools/context/optimize">;
type Answer = RouteOutput<"POST /api/v1/tools/context/optimize">;
type Segment = NonNullable<Request["segments"]>[number];

interface Options {
  budget: Request["budget"];
  query?: string;
  tokenizer: NonNullable<Request["tokenizer"]>;
  headings: boolean;
}

/** As much as a server fits into a budget in one request. */
const MAX_BYTES = 16 << 20;
const TIMEOUT_MS = 120_000;
const MAX_TOKENS = 1e9;
/** A heading's id, which no file has: paths hold no line break. */
const HEADING = "heading:";

export const define: Define = (command, run) => {
  command
    .argument("<files...>", "- is stdin")
    .description(
      "Print as much of files as fits into a budget of tokens: what answers a question, or is central.",
    )
    .requiredOption("--budget <n>", "Tokens, or a share such as 25%", budget)
    .option("--query <text>", "What the reader wants to know")
    .addOption(
      new Option("--tokenizer <name>", "Whose tokens")
        .choices(["o200k_base", "cl100k_base"])
        .default("o200k_base"),
    )
    .option("--no-headings", "Leave out the line with its name above each of several files")
    .addHelpText(
      "after",
      examples(
        'tool context src/**/*.ts --budget 4000 --query "how are tokens refreshed"',
        "npm test 2>&1 | tool context - --budget 10%",
      ),
    )
    .action(run(optimize));
};

async function optimize(
  { client, io, progress }: Context,
  files: string[],
  { budget, query, tokenizer, headings }: Options,
): Promise<Outcome> {
  const several = new Set(files).size > 1 && headings;
  const segments: Segment[] = [];
  let left = MAX_BYTES;
  for (const file of new Set(files)) {
    const content = await readText(io, file, MAX_BYTES);
    left -= Buffer.byteLength(content);
    if (left < 0) {
      throw new UsageError(`The files hold more than ${MAX_BYTES >> 20} MiB together.`, "Name fewer.");
    }
    const heading = `${segments.length > 0 ? "\n" : ""}==> ${file} <==\n`;
    if (several) segments.push({ id: HEADING + file, content: heading, pinned: true });
    segments.push({ id: file, content: several ? ended(content) : content });
  }
  const request = { segments, budget, tokenizer, ...(query !== undefined && { query }) };
  const call = client.call("POST /api/v1/tools/context/optimize", request, {
    timeoutMs: TIMEOUT_MS,
    signal: io.interrupted,
  });
  const answer = await progress.during("Choosing what to keep", call);
  progress.note(summaryOf(answer, segments.length, several));
  return { document: answer, raw: textOf(answer) };
}

/** What is left, without the headings of files of which nothing is. */
function textOf({ segments = [] }: Answer): string {
  const left = new Set(segments.map(({ id }) => id));
  const shown = segments.filter(({ id }) => !id.startsWith(HEADING) || left.has(id.slice(HEADING.length)));
  return shown.map(({ content }) => content).join("");
}

function summaryOf({ tokens, segments = [] }: Answer, sent: number, several: boolean): string {
  const kept = `${number(tokens.after)} of ${count(tokens.before, "token")} kept (${number(100 * tokens.ratio)} %)`;
  if (!several) return kept;
  const files = segments.filter(({ id }) => !id.startsWith(HEADING));
  const whole = files.filter((file) => file.whole).length;
  return `${kept}: ${count(whole, "file")} whole, ${files.length - whole} in part, ${sent / 2 - files.length} left out`;
}

/** So that the next heading begins a line. */
function ended(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}

function budget(text: string): Request["budget"] {
  const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (percent === undefined) return { maxTokens: wholeNumber(1, MAX_TOKENS)(text.replace(/[_,]/g, "")) };
  const ratio = Number(percent) / 100;
  if (ratio > 0 && ratio <= 1) return { ratio };
  throw new InvalidArgumentError("A share must be above 0 % and at most 100 %.");
}
