import type { Category } from "../../../../src/tools/self-healing/categories.ts";
import type { Candidate } from "../../../../src/tools/self-healing/diagnosing/candidate.ts";
import { splitLines } from "../../../../src/tools/self-healing/diagnosing/log-lines.ts";
import { type Reading, textAt } from "../../../../src/tools/self-healing/diagnosing/reading.ts";
import { fileHeadings } from "../../../../src/tools/self-healing/diagnostics/file-headings.ts";
import type { Signature } from "../../../../src/tools/self-healing/signatures/signature.ts";

export type Told = Partial<Signature> & {
  index: number;
  text?: string;
  score?: number;
  file?: string;
  line?: number;
  caught?: Record<string, string | undefined>;
};

/** Returns a candidate line for a failure. */
export function candidate({
  index,
  text = `line ${String.fromCharCode(97 + index)}`,
  score = 90,
  file,
  line = 1,
  caught = {},
  ...more
}: Told): Candidate {
  return {
    ...{ index, text, score, plain: score, caught },
    signature: { id: "any", role: "cause", weight: 90, ...more },
    ...(file !== undefined && { diagnostic: { file, line, message: "" } }),
  };
}

export interface Log {
  lines?: number | string[];
  told?: Told[];
  goal?: { index: number; category?: Category };
  build?: number;
  part?: number;
}

export function reading({ lines = 100, told = [], goal, build = -1, part = -1 }: Log): Reading {
  const log = Array.isArray(lines) ? lines : Array.from({ length: lines }, () => "x");
  const split = splitLines(log.join("\n"));
  return {
    lines: split,
    headings: fileHeadings((index) => textAt(split, index)),
    candidates: told.map(candidate),
    ...(goal && { goal }),
    succeeded: { build, part },
  };
}
