import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { askTool } from "../../ask-tool.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { textOfWords } from "../../terminal/input.ts";
import { count } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { hanging } from "../../ui/width.ts";
import { dollars, tokens } from "./figures.ts";

type Request = RouteInput<"POST /api/v1/tools/models/select">;
type Selection = RouteOutput<"POST /api/v1/tools/models/select">;
type Candidate = Selection["selected"];

interface Options {
  kind: Request["task"]["kind"];
  inputTokens?: number;
  outputTokens?: number;
  needs?: string[];
  maxCost?: number;
  minContext?: number;
  provider?: string[];
  notProvider?: string[];
  objective: Request["objective"];
  record: boolean;
}

const MARGIN = 2;

export async function select(context: Context, words: string[], options: Options): Promise<Outcome> {
  const { io, progress } = context;
  const { kind, inputTokens, outputTokens, needs, objective, provider, notProvider, record } = options;
  const prompt = await textOfWords(io, words);
  const request = {
    task: { kind, ...(prompt !== "" && { prompt }), inputTokens, outputTokens, needs },
    constraints: {
      maxCostUsd: options.maxCost,
      minContextTokens: options.minContext,
      ...((provider || notProvider) && { providers: { allow: provider, deny: notProvider } }),
    },
    objective,
  } as Request;
  const asked = askTool(context, "POST /api/v1/tools/models/select", request, { record });
  const { answer: found, isRecorded } = await progress.during("Selecting", asked);
  const next = isRecorded
    ? `When it is done: tool models outcome ${nameOf(found.selected)} success --kind ${kind}`
    : "";
  return { document: found, lines: linesOf(found, next, context), isRecorded };
}

function linesOf(
  { selected, estimate, reasons, alternatives, counts }: Selection,
  next: string,
  { io }: Context,
): string[] {
  const { style, marks, columns } = io.out;
  const head = `${marks.done} ${style.bold(nameOf(selected))}  ${costOf(selected)}`;
  const why = reasons.map((reason) => hanging("  ", reason, columns - MARGIN));
  const isGuessed = estimate.presumed.includes("inputTokens");
  const left = count(counts.considered - counts.fitting, "model");
  return [
    head,
    ...why,
    ...(isGuessed
      ? [
          hanging(
            "  ",
            `Without a prompt or --input-tokens, ${count(estimate.inputTokens, "token")} of input are presumed.`,
            columns - MARGIN,
          ),
        ]
      : []),
    ...(alternatives.length > 0 ? ["", style.bold("Next best"), ...rowsOf(alternatives, io.out)] : []),
    "",
    style.dim(`${left} of ${counts.considered} did not fit; --json says why.`),
    ...(next ? [style.dim(next)] : []),
  ];
}

function rowsOf(candidates: readonly Candidate[], output: Context["io"]["out"]): string[] {
  const columns = [
    { title: "Model", shrink: true },
    { title: "Cost", align: "right" },
    { title: "Context", align: "right", minor: true },
    { title: "Recorded", minor: true },
  ] as const;
  const rows = candidates.map((each) => [
    nameOf(each),
    costOf(each),
    tokens(each.contextTokens),
    each.recorded ? `${each.recorded.successes} of ${each.recorded.successes + each.recorded.failures}` : "",
  ]);
  return table(columns, rows, output);
}

function nameOf({ provider, id }: Candidate): string {
  return `${provider}/${id}`;
}

function costOf({ costUsd }: Candidate): string {
  return costUsd === null ? "price unknown" : `${dollars(costUsd)} USD`;
}
