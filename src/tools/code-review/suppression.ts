import type { Line } from "./diff/file-change.ts";
import type { RuleId } from "./finding.ts";

/** `tool-ignore sql-injection: the table is one of three` */
const MARK = /\btool-ignore\s{1,4}([a-z-]{3,40}(?:,\s{0,2}[a-z-]{3,40}){0,16})\s{0,2}:\s{0,4}\S/;

/** Whether a suppression mark for a rule, with a reason, is on the line or on the one above it. */
export function isSuppressed(lines: readonly Line[], index: number, rule: RuleId): boolean {
  return names(lines[index], rule) || names(lines[index - 1], rule);
}

function names(line: Line | undefined, rule: RuleId): boolean {
  if (!line?.text.includes("tool-ignore")) return false;
  const listed = MARK.exec(line.text)?.[1];
  return listed?.split(/,\s{0,2}/).includes(rule) ?? false;
}
