import { lineStarts } from "./lines.ts";

const DECLARATION =
  /^\s*(?:export\b|import\b|from\s+\S+\s+import\b|package\b|use\s|using\s|#\s*include\b|#\s*define\b|module\b|namespace\b|require\b|(?:(?:pub(?:\([^)]*\))?|(?:public|private|protected)(?:\[[\w.]+\])?|internal|static|final|abstract|async|default|declare|override|virtual|extern|unsafe|inline|sealed|partial|open|data|suspend|operator|infix|tailrec|implicit|case|companion|lateinit|actual|expect|annotation|value|inner|fileprivate|mutating|indirect|local|required|convenience|nonisolated|transparent|@\w+)\s+)*(?:class|interface|type|enum|struct|trait|impl|function\*?|func|fun|fn|def|defp|defmacrop?|defmodule|defimpl|defprotocol|record|object|protocol|actor|extension|given|mod)\b|package\s+object\b)/;
/** A C-like or method definition: a name, its parameters, then a body. */
const DEFINITION =
  /^(?!\s*(?:if|for|while|switch|catch|return|else|do|new|throw|await|case|with)\b)[\w$<>[\],:*&?~ \t]*[\w$]>?[?!]?\s*\([^;]*\)[^;=]*\{\s*$/;
const ARROW =
  /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$][^=]*=\s*(?:async\s*)?(?:function\b|\([^;]*(?::[^=]*)?=>|[\w$]+\s*=>)/;
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|package\b(?!\s+object\b)|use\s|using\s|#\s*include\b|require\b)/;
const MAX_BLOCK_LENGTH = 10;

/** Longer lines are minified code, of which only the beginning is examined. */
const MAX_LINE = 1000;

/** Whether a line declares something rather than does something. */
export function isSignature(line: string): boolean {
  if (line.length > MAX_LINE) return DECLARATION.test(line.slice(0, MAX_LINE));
  return DECLARATION.test(line) || DEFINITION.test(line) || ARROW.test(line);
}

export function isImport(line: string): boolean {
  return IMPORT.test(line);
}

/** Returns the starts of blocks: each signature by itself, and the code in between up to an empty line or ten lines. */
export function codeBlocks(text: string): number[] {
  const lines = lineStarts(text);
  const starts: number[] = [];
  let length = MAX_BLOCK_LENGTH;
  for (const [index, start] of lines.entries()) {
    const line = text.slice(start, lines[index + 1] ?? text.length);
    const signature = isSignature(firstLine(line));
    if (signature || length >= MAX_BLOCK_LENGTH) {
      starts.push(start);
      length = 0;
    }
    length = signature || /\n[ \t]*\r?\n/.test(line) ? MAX_BLOCK_LENGTH : length + 1;
  }
  return starts;
}

function firstLine(text: string): string {
  return text.replace(/[\r\n][\s\S]*$/, "");
}
