import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Mutant } from "@stryker-mutator/api/core";
import type { Ignorer } from "@stryker-mutator/api/ignore";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { identityOf } from "./checker.js";

export interface Sample {
  /** The mutants' `identityOf`. */
  identities: string[];
  /** Places of the mutants in Stryker's notation: `src/a.ts:3:4-3:9`. */
  places: string[];
}

/** Draws at most `size` mutants of some sources. The same seed and sources give the same mutants. */
export async function drawSample(sources: string[], size: number, seed: string): Promise<Sample> {
  const files = sources.map((source) => ({
    name: resolve(source),
    content: readFileSync(source, "utf8"),
    mutate: true,
  }));
  const options = { ignorers: [prose], excludedMutations: [], plugins: null };
  const { mutants } = await new Instrumenter(SILENT).instrument(files, options);
  const drawn = mutants
    .filter(({ status }) => status === undefined)
    .map((mutant) => ({ mutant, rank: rankOf(mutant, seed) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
  return { identities: drawn.map(identityOf), places: drawn.map(placeOf) };
}

function rankOf(mutant: Mutant, seed: string): string {
  const identity = identityOf({ ...mutant, fileName: relative(process.cwd(), mutant.fileName) });
  return createHash("sha256").update(`${seed} ${identity}`).digest("hex");
}

function placeOf({ fileName, location: { start, end } }: Mutant): string {
  const path = relative(process.cwd(), fileName);
  return `${path}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** Ignores mutants of sentences: a test of their wording would only repeat it. */
const prose: Ignorer = {
  shouldIgnore({ node }: { node?: Node } & object) {
    const text =
      node?.type === "StringLiteral"
        ? node.value
        : node?.type === "TemplateLiteral"
          ? node.quasis.map(({ value }) => value.cooked).join("…")
          : "";
    return /\s/.test(text) && /[.?!:]$/.test(text) ? "prose" : undefined;
  },
};

/** The nodes of Babel's syntax tree that `prose` looks at. */
type Node =
  | { type: "StringLiteral"; value: string }
  | { type: "TemplateLiteral"; quasis: { value: { cooked: string } }[] };

const nothing = () => {};
const off = () => false;
const SILENT = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
