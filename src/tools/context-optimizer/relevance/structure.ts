import { isImport, isSignature } from "../code-blocks.ts";
import type { Unit } from "../units.ts";

/**
 * Returns the weight of a unit's form, from 0 to 1. With 1 it comes before units without any, whatever these are about.
 * Prose and dialogue have no such form.
 */
export function structureOf({ kind, text }: Unit): number {
  if (kind === "code") return weightOfCode(text.replace(/[\r\n][\s\S]*$/, ""));
  if (kind === "diff") return weightOfDiffLine(text);
  if (kind === "log") return weightOfLogLine(text);
  if (kind === "json") return 1 / (1 + indentOf(text));
  return 0;
}

function weightOfCode(line: string): number {
  if (isImport(line)) return 0.5;
  return isSignature(line) ? 1 : 0;
}

function weightOfDiffLine(text: string): number {
  if (/^(?:diff |--- |\+\+\+ |@@ |rename |new file|deleted file)/.test(text)) return 1;
  return /^[+-]/.test(text) ? 0.5 : 0;
}

function weightOfLogLine(text: string): number {
  if (/\b(?:fatal|panic|error|exception|fail(?:ed|ure)?|traceback|critical|segfault|denied)\b/i.test(text))
    return 1;
  return /\bwarn(?:ing)?\b/i.test(text) ? 0.5 : 0;
}

/** Returns the indentation, in steps of two spaces. */
function indentOf(text: string): number {
  return Math.floor(text.search(/\S|$/) / 2);
}
