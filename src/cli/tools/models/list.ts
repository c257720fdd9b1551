import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { didYouMean } from "../../../contract/near-names.ts";
import { askTool } from "../../ask-tool.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { count } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { dollars, tokens } from "./figures.ts";

type Query = RouteInput<"GET /api/v1/tools/models">;
type Models = RouteOutput<"GET /api/v1/tools/models">["items"];

interface Options {
  provider?: string;
  capability?: Query["capability"];
  modality?: string;
  minContext?: number;
  maxInputUsd?: number;
  record: boolean;
}

export async function list(context: Context, options: Options): Promise<Outcome> {
  const { provider, capability, modality, minContext, maxInputUsd, record } = options;
  const query = { provider, capability, modality, maxInputUsd, minContextTokens: minContext };
  const { answer: found, isRecorded } = await askTool(context, "GET /api/v1/tools/models", query, { record });
  const { items, catalogueDate } = found;
  const note = `${count(items.length, "model")}; USD for a million tokens, as of ${catalogueDate}`;
  const lines =
    items.length === 0
      ? [`No model fits (catalogue of ${catalogueDate}).`, ...(await providerLines(context, options))]
      : [...rowsOf(items, context), "", context.io.out.style.dim(note)];
  return { document: found, lines, isRecorded };
}

/** Returns a hint with similar or all names if the given provider does not exist. */
async function providerLines(context: Context, { provider, record }: Options): Promise<string[]> {
  if (provider === undefined) return [];
  const { answer } = await askTool(context, "GET /api/v1/tools/models", {}, { record });
  const known = [...new Set(answer.items.map((model) => model.provider))].sort();
  if (known.includes(provider)) return [];
  return [
    `It has no provider "${provider}". ${didYouMean(provider, known) || `There are ${known.join(", ")}.`}`,
  ];
}

function rowsOf(items: Models, { io }: Context): string[] {
  const columns = [
    { title: "Model", shrink: true },
    { title: "Context", align: "right" },
    { title: "Output", align: "right", minor: true },
    { title: "In", align: "right" },
    { title: "Out", align: "right" },
    { title: "Released", minor: true },
    { title: "Can", shrink: true, minor: true },
  ] as const;
  const rows = items.map((model) => [
    `${model.provider}/${model.id}`,
    tokens(model.contextTokens),
    tokens(model.maxOutputTokens),
    dollars(model.inputUsdPerMillion),
    dollars(model.outputUsdPerMillion),
    model.releasedAt ?? "",
    model.capabilities.join(" "),
  ]);
  return table(columns, rows, io.out);
}
