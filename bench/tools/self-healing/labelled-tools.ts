import { createHash } from "node:crypto";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import type { Diagnosis } from "../../../src/tools/self-healing/diagnosis.ts";
import { readRows } from "../../data/rows.ts";

/** The log of a current tool's failure, and what a person found in it. */
interface Labelled {
  id: string;
  log: string;
  command: string;
  exitCode: number;
  truth: {
    categories: string[];
    logLines: number[];
    places: { file: string | null; line: number | null }[];
    advice_any: string[];
    advice_none: string[];
  };
}

const MEASURES = {
  line: ({ cause }: Diagnosis, { logLines }: Labelled["truth"]) => logLines.includes(cause?.logLine ?? 0),
  file: ({ cause }: Diagnosis, { places }: Labelled["truth"]) =>
    places.some(({ file }) => (file === null ? !cause?.file : isTail(cause?.file, file))),
  "file and line": ({ cause }: Diagnosis, { places }: Labelled["truth"]) =>
    places.some(({ file, line }) =>
      file === null ? !cause?.file : isTail(cause?.file, file) && (line === null || line === cause?.line),
    ),
  "advice fits": ({ suggestions }: Diagnosis, { advice_any }: Labelled["truth"]) =>
    suggestions.some(({ title, command, rationale }) =>
      advice_any.some((pattern) =>
        [title, command ?? "", rationale].some((text) => new RegExp(pattern, "im").test(text)),
      ),
    ),
  "no wrong advice": ({ suggestions }: Diagnosis, { advice_none }: Labelled["truth"]) =>
    !suggestions.some(({ title, command }) =>
      advice_none.some((pattern) =>
        [title, command ?? ""].some((text) => new RegExp(pattern, "m").test(text)),
      ),
    ),
  category: ({ category }: Diagnosis, { categories }: Labelled["truth"]) => categories.includes(category),
} as const;

/** Number of suggestions that an answer of the server holds. */
const MOST_SHOWN = 8;

type Measured = Record<keyof typeof MEASURES, boolean>;

/** Measures two halves of the logs, split by id. Misses are printed of the tuning half only; the other judges. */
export function labelledTools(): void {
  const rows = readRows<Labelled>("02-build-logs", "current_tools");
  if (!rows) return;
  for (const half of [0, 1]) {
    const own = rows.filter(({ id }) => halfOf(id) === half);
    const results = own.map(({ id, log, command, exitCode, truth }) => {
      const diagnosis = diagnose({ log, command, exitCode });
      const shown = { ...diagnosis, suggestions: diagnosis.suggestions.slice(0, MOST_SHOWN) };
      return { id, right: measured(shown, truth) };
    });
    const shares = Object.keys(MEASURES).map(
      (name) => `${name} ${results.filter(({ right }) => right[name as keyof typeof MEASURES]).length}`,
    );
    console.log(
      `current tools, ${half === 0 ? "one half" : "the other"}, of ${own.length}: ${shares.join(", ")}`,
    );
    if (half === 1) continue;
    for (const { id, right } of results) {
      const wrong = Object.entries(right).filter(([, holds]) => !holds);
      if (wrong.length > 0) console.log(`  ${id}: not ${wrong.map(([name]) => name).join(", ")}`);
    }
  }
}

function measured(diagnosis: Diagnosis, truth: Labelled["truth"]): Measured {
  const entries = Object.entries(MEASURES).map(([name, holds]) => [name, holds(diagnosis, truth)]);
  return Object.fromEntries(entries);
}

function halfOf(id: string): number {
  return (createHash("sha256").update(id).digest().at(-1) as number) % 2;
}

/** Whether a path, in any form that logs use, is that of a file of the project. */
function isTail(path: string | undefined, file: string): boolean {
  const plain = path?.replace(/^(?:file:\/\/|\.\/)/, "");
  return plain === file || plain?.endsWith(`/${file}`) === true;
}
