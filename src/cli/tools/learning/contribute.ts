import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { textOfWords } from "../../terminal/input.ts";
import { cohortLine, figure, standingLine } from "./standing.ts";
import type { MeasureType } from "./types.ts";

interface About {
  language?: string;
  size?: string;
}

export async function benchmark(
  { client, io }: Context,
  type: MeasureType,
  value: number,
  { unit, language, size }: About & { unit?: string },
): Promise<Outcome> {
  const context = contextOf({ language, size });
  const recorded = await client.call("POST /api/v1/tools/learning/benchmark", { type, value, unit, context });
  const { style, marks } = io.out;
  return {
    document: recorded,
    lines: [
      `${marks.done} ${type.replaceAll("_", " ")} ${style.bold(figure(value, recorded.unit))} recorded`,
      standingLine(recorded) ?? style.dim(cohortLine(recorded.cohort, recorded.unit)),
      ...(recorded.percentile === null ? [] : [style.dim(cohortLine(recorded.cohort, recorded.unit))]),
    ],
  };
}

export async function pattern(
  { client, io }: Context,
  title: string,
  given: string,
  { category, outcome, language, size }: About & { category: string; outcome?: string },
): Promise<Outcome> {
  const shared = await client.call("POST /api/v1/tools/learning/pattern", {
    title,
    description: await textOfWords(io, [given]),
    category,
    outcome,
    context: contextOf({ language, size }),
  });
  const { style, marks } = io.out;
  const { masked, pattern } = shared;
  return {
    document: shared,
    lines: [
      `${marks.done} shared as ${style.bold(pattern.id)}`,
      pattern.title,
      ...pattern.description.trimEnd().split("\n"),
      ...(masked.length > 0 ? [style.yellow(`Masked before anything was kept: ${masked.join(", ")}`)] : []),
    ],
  };
}

/** Returns the context of a contribution. A numeric size is a number of lines of code. */
function contextOf({ language, size }: { language: string | undefined; size: string | undefined }) {
  const lines = size !== undefined && /^\d+$/.test(size) ? Number(size) : size;
  return { language, size: lines };
}
