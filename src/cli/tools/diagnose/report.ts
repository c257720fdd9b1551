import type { RouteOutput } from "../../../client/routes.ts";
import type { Context } from "../../context.ts";
import { count, relativeTime } from "../../ui/format.ts";
import { hanging } from "../../ui/width.ts";

export type Diagnosis = RouteOutput<"POST /api/v1/tools/self-healing/diagnose">;
type Cause = NonNullable<Diagnosis["cause"]>;
type Suggestion = Diagnosis["suggestions"][number];

const MAX_QUOTED = 14;
const BEFORE_CAUSE = 5;
const MAX_ALSO_SEEN = 5;
const MAX_SUGGESTIONS = 4;
const MARGIN = 2;

/** Returns the report: the cause, the lines that show it, other findings, suggestions and history. */
export function reportOf(
  diagnosis: Diagnosis,
  isRecorded: boolean,
  context: Context,
  exitCode: number | undefined,
): string[] {
  const { cause, alsoSeen, suggestions } = diagnosis;
  const { style, marks } = context.io.out;
  if (!cause && !exitCode) return [`${marks.done} Nothing in this log has failed.`];
  return [
    `${marks.failed} ${style.bold(cause ? headingOf(diagnosis, cause) : silentHeadingOf(diagnosis))}`,
    ...(cause ? ["", ...quote(cause, context)] : []),
    ...(alsoSeen.length > 0 ? ["", ...alsoSeenLines(alsoSeen, context)] : []),
    "",
    style.bold("Try"),
    ...suggestions.slice(0, MAX_SUGGESTIONS).flatMap((each) => suggestionLines(each, context)),
    ...(isRecorded && cause ? ["", ...historyLines(diagnosis, context)] : []),
  ];
}

/** The categories of faults that concern the named file itself, not its content. */
const OF_FILES = new Set(["missing_file", "permission", "disk_full"]);

/** Returns `Type error in src/cart.ts:12:5 (node, 87 % sure)` or `Missing file: config.json (node, 92 % sure)`. */
function headingOf({ category, ecosystem, confidence }: Diagnosis, cause: Cause): string {
  const place = placeOf(cause);
  const name =
    category !== "unknown" ? categoryName(category) : place ? "Failure" : "A failure of no known kind";
  const known = [...(ecosystem === "unknown" ? [] : [ecosystem]), `${Math.round(100 * confidence)} % sure`];
  const at = OF_FILES.has(category) && cause.line === undefined ? ": " : " in ";
  return `${name}${place && at + place} (${known.join(", ")})`;
}

/** Returns the heading without a cause in the log: `Timeout, by its exit code: it wrote nothing that could be read`. */
function silentHeadingOf({ category }: Diagnosis): string {
  return category === "unknown"
    ? "It failed and wrote nothing that could be read"
    : `${categoryName(category)}, by its exit code: it wrote nothing that could be read`;
}

/** Returns a category such as `out_of_memory` as `Out of memory`. */
export function categoryName(category: string): string {
  const words = category.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function placeOf({ file, line, column }: Pick<Cause, "file" | "line" | "column">): string {
  if (file === undefined) return "";
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** Returns part of the excerpt around the cause, with the log's line numbers and marks for gaps. */
function quote({ excerpt, logLine }: Cause, { io }: Context): string[] {
  const { style, symbols, columns } = io.out;
  const at = Math.max(
    0,
    excerpt.findIndex(({ number }) => number === logLine),
  );
  const from = Math.max(0, Math.min(at - BEFORE_CAUSE, excerpt.length - MAX_QUOTED));
  const shown = excerpt.slice(from, from + MAX_QUOTED);
  const width = String(shown.at(-1)?.number ?? 0).length;
  const lines = shown.flatMap(({ number, text }, index) => {
    const gap = index > 0 && number !== (shown[index - 1]?.number ?? 0) + 1;
    const mark = number === logLine ? style.red(symbols.pointer) : " ";
    const line = `${mark} ${style.dim(String(number).padStart(width))}  `;
    const quoted = hanging(line, text, columns - MARGIN);
    return [...(gap ? [style.dim(`  ${" ".repeat(width)}  ${symbols.ellipsis}`)] : []), quoted];
  });
  const more = excerpt.length - shown.length;
  return more > 0 ? [...lines, style.dim(`  ${count(more, "more line")} of the log explain it`)] : lines;
}

function alsoSeenLines(alsoSeen: Diagnosis["alsoSeen"], { io }: Context): string[] {
  const { style, columns } = io.out;
  const lines = alsoSeen
    .slice(0, MAX_ALSO_SEEN)
    .map(({ logLine, message }) => hanging(`  ${style.dim(`line ${logLine}`)}  `, message, columns - MARGIN));
  const more = alsoSeen.length - lines.length;
  return [style.bold("Also seen"), ...lines, ...(more > 0 ? [style.dim(`  and ${more} more`)] : [])];
}

function suggestionLines(suggestion: Suggestion, { io }: Context): string[] {
  const { title, command, rationale, successRate, attempts, id } = suggestion;
  const { style, columns } = io.out;
  const likely = successRate ? ` ${style.green(chance(successRate.mid, attempts))}` : "";
  return [
    `  ${title}${likely} ${style.dim(id)}`,
    ...(command === undefined ? [] : [hanging("    ", style.cyan(command), columns - MARGIN)]),
    hanging("    ", style.dim(rationale), columns - MARGIN),
  ];
}

export function chance(share: number, attempts: number): string {
  return `${Math.round(100 * share)} % likely to help (tried ${count(attempts, "time")})`;
}

function historyLines({ diagnosisId, seenBefore }: Diagnosis, { io, clock }: Context): string[] {
  const { style } = io.out;
  const record = style.dim(
    `When something helped: tool self-healing record ${diagnosisId} success --suggestion <id>`,
  );
  if (!seenBefore) return [record];
  const { lastFix, lastAt } = seenBefore;
  const times = `Seen ${count(seenBefore.count, "time")} before, last ${relativeTime(lastAt, clock.now())}`;
  return [`${times}${lastFix ? `; then this helped: ${lastFix.title}` : ""}.`, record];
}
