import type { RouteOutput } from "../../../client/routes.ts";
import type { Context } from "../../context.ts";
import { count, listed } from "../../ui/format.ts";
import { oneLine } from "../../ui/terminal-text.ts";
import { hanging, shorten } from "../../ui/width.ts";

export type Review = RouteOutput<"POST /api/v1/tools/code-review">;
type Finding = Review["findings"][number];

const MARGIN = 2;
const MAX_SKIPPED = 3;
/** The most languages to name of those that most rules do not know. */
const MAX_NAMED = 4;
/** Texts for reasons. Git also calls large files binary (`diff.ts`). */
const MEANT: Readonly<Record<string, string>> = {
  binary: "binary, or large",
  submodule: "a submodule: review it in its folder",
};

/** Returns the findings by file, then a summary of what was read and found. */
export function reportOf({ findings, summary }: Review, context: Context, whole: boolean): string[] {
  const { style, marks, symbols } = context.io.out;
  const files = [...new Set(findings.map(({ file }) => file))];
  const groups = files.flatMap((file) => [
    style.bold(oneLine(file)),
    ...findings.filter((each) => each.file === file).flatMap((each) => findingLines(each, context)),
    "",
  ]);
  const { error, warning, info } = summary.bySeverity;
  const found = error + warning + info;
  const read = `${count(summary.addedLines, whole ? "line" : "added line")} in ${count(summary.files, "file")}`;
  if (summary.files === 0) {
    if (whole) return [`${marks.done} Nothing is there to review.`];
    return [
      `${marks.done} Nothing has changed.`,
      style.dim("  Whole files, changed or not: tool review --all"),
    ];
  }
  if (found === 0) return [`${marks.done} No findings in ${read}.`, ...asides(summary, context)];
  const counts = [
    error && count(error, "error"),
    warning && count(warning, "warning"),
    info && `${info} to look at`,
  ];
  const mark = error > 0 ? marks.failed : warning > 0 ? marks.attention : style.dim(symbols.pointer);
  const more = found - findings.length;
  return [
    ...groups,
    // The score rates a change. In whole files, the findings are not due to a change.
    `${mark} ${style.bold(counts.filter(Boolean).join(", "))} in ${read}${whole ? "" : `; score ${summary.score} of 100`}`,
    ...(more > 0 ? [style.dim(`  the worst ${findings.length} are shown, and ${more} more were found`)] : []),
    ...asides(summary, context),
  ];
}

/** Returns `✖ 12:5 sql-injection <message>`, the line of code, and the suggestion. */
function findingLines(finding: Finding, { io }: Context): string[] {
  const { severity, line, column, rule, message, snippet, suggestion } = finding;
  const { style, marks, symbols, columns } = io.out;
  const markOf = { error: marks.failed, warning: marks.attention, info: style.dim(symbols.pointer) };
  const width = columns - MARGIN;
  return [
    hanging(`  ${markOf[severity]} `, `${line}:${column} ${style.cyan(rule)} ${message}`, width),
    shorten(`    ${snippet}`, width, symbols.ellipsis),
    style.dim(hanging("    ", suggestion, width)),
  ];
}

function asides(summary: Review["summary"], { io }: Context): string[] {
  const { suppressed, skipped } = summary;
  const { style, marks, columns } = io.out;
  const little = littleReadLine(summary);
  const unread = skipped.map(({ file, reason }) => `${oneLine(file)} (${MEANT[reason] ?? reason})`);
  return [
    ...(little ? [hanging(`${marks.attention} `, little, columns - MARGIN)] : []),
    ...(suppressed > 0 ? [style.dim(`  ${count(suppressed, "finding")} suppressed in the code`)] : []),
    ...(unread.length > 0 ? [style.dim(`  Not read: ${listed(unread, MAX_SKIPPED)}`)] : []),
  ];
}

/** Says which files most rules do not know, since no findings there mean little; undefined if there are none. */
export function littleReadLine({ littleRead }: Review["summary"]): string | undefined {
  // A server of an earlier version does not send them.
  if (!littleRead?.length) return undefined;
  const named = littleRead
    .slice(0, MAX_NAMED)
    .map(({ language, files }) => `${language} (${count(files, "file")})`);
  const more = littleRead.length - named.length;
  const languages = `${named.join(", ")}${more > 0 ? ` and ${count(more, "more language")}` : ""}`;
  return `Read only for secrets, weak settings and notes, not for injection: ${languages}`;
}
