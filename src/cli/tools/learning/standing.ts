import type { RouteOutput } from "../../../client/routes.ts";
import { number } from "../../ui/format.ts";

type Standing = Pick<
  RouteOutput<"POST /api/v1/tools/learning/benchmark">,
  "percentile" | "betterThan" | "sameAs" | "cohort"
>;

/** In percent. If at least as many others have about the same value, a rank says nothing. */
const MAX_SAME = 75;

/** Formats a value such as `212 s` or `98.5 %`; one below 10 has three significant digits. */
export function figure(value: number, unit: string | null): string {
  const said = Math.abs(value) < 10 ? String(Number(value.toPrecision(3))) : number(value);
  return unit === null ? said : `${said} ${unit}`;
}

/** Returns the project's standing in its cohort; undefined if the cohort is too small. */
export function standingLine({ betterThan, sameAs, cohort }: Standing): string | undefined {
  if (betterThan === null || cohort.projects === undefined) return undefined;
  const others = `${cohort.projects - 1} other projects`;
  // Servers of earlier versions do not send it.
  const same = sameAs ?? 0;
  if (same >= MAX_SAME) return `about the same as most of ${others}: too close to tell`;
  return `better than about ${betterThan} % of ${others}${same > 0 ? `, about the same as ${same} %` : ""}`;
}

export function cohortLine(
  { status, language, size, p50, p90 }: Standing["cohort"],
  unit: string | null,
): string {
  if (status !== "ok" || p50 === undefined || p90 === undefined) {
    return "Not enough projects measure this to say something about them.";
  }
  const alike = [language, size].filter((each) => each !== undefined).join(", ");
  return `${alike === "" ? "all projects" : alike}: half up to ${figure(p50, unit)}, nine in ten up to ${figure(p90, unit)}`;
}
