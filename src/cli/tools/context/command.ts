import { Option } from "commander";
import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { askTool, recordOption } from "../../ask-tool.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { InvalidArgumentError, wholeNumber } from "../../options.ts";
import { count, number } from "../../ui/format.ts";
import { sourcesOf } from "./sources.ts";

type Request = RouteInput<"POST /api/v1/tools/context/optimize">;
type Answer = RouteOutput<"POST /api/v1/tools/context/optimize">;

interface Options {
  budget: Request["budget"];
  query?: string;
  tokenizer: NonNullable<Request["tokenizer"]>;
  headings: boolean;
  record: boolean;
}

const MAX_TOKENS = 1e9;

export const define: Define = (command, run) => {
  command
    .argument("[files...]", "Files, directories or quoted globs; - is stdin; none is the repository")
    .description(
      "Print as much of files as fits into a budget of tokens: what answers a question, or is central.",
    )
    .requiredOption("--budget <n>", "Tokens, or a share such as 25%", budget)
    .option("--query <text>", "What the reader wants to know")
    .addOption(
      new Option("--tokenizer <name>", "Which tokenizer counts")
        .choices(["o200k_base", "cl100k_base"])
        .default("o200k_base"),
    )
    .option("--no-headings", "Leave out the line above each piece that says where it is")
    .addOption(recordOption())
    .addHelpText(
      "after",
      `${examples(
        'tool context --budget 8000 --query "where are tokens refreshed"',
        'tool context src docs "*.md" --budget 4000 --query "how are tokens refreshed"',
        "npm test 2>&1 | tool context - --budget 10%",
      )}

What git ignores, generated and binary files are left out. Directories and globs are searched on this machine.`,
    )
    .action(run(optimize));
};

async function optimize(context: Context, words: string[], options: Options): Promise<Outcome> {
  const { budget, query, tokenizer, record } = options;
  const { items, repository, count: sent } = await sourcesOf(context, words);
  const headings = options.headings && sent > 1;
  const request = { segments: items, budget, tokenizer, headings, query };
  const asked = askTool(context, "POST /api/v1/tools/context/optimize", request, {
    record,
    repository,
    newer: ["headings"],
  });
  const { answer, isRecorded } = await context.progress.during("Choosing what to keep", asked);
  const isFound = query === undefined || answer.tokens.before > 0;
  context.progress.note(isFound ? summaryOf(answer, sent) : nothingIn(sent));
  const raw = answer.text ?? (answer.segments ?? []).map(({ content }) => content).join("");
  return { document: answer, raw, isRecorded };
}

/** What is told where nothing may be chosen for a question. */
function nothingIn(files: number): string {
  if (files === 0) return "There is no file here to read.";
  return `Nothing in ${count(files, "file")} is about that: ask in other words, or without --query.`;
}

function summaryOf({ tokens, segments = [] }: Answer, sent: number): string {
  const [after, before] = [number(tokens.after), count(tokens.before, "token")];
  const kept =
    tokens.after > tokens.before
      ? `${after} tokens with the headings, of ${before}`
      : `${after} of ${before} kept (${number(100 * tokens.ratio)} %)`;
  if (sent === 1) return kept;
  const whole = segments.filter((file) => file.whole).length;
  return `${kept}: ${count(whole, "file")} whole, ${segments.length - whole} in part, ${sent - segments.length} left out`;
}

function budget(text: string): Request["budget"] {
  const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (percent === undefined) return { maxTokens: wholeNumber(1, MAX_TOKENS)(text.replace(/[_,]/g, "")) };
  const ratio = Number(percent) / 100;
  if (ratio > 0 && ratio <= 1) return { ratio };
  throw new InvalidArgumentError("A share must be above 0 % and at most 100 %.");
}
