import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN_FORMATS } from "../../../../src/text/secrets/token-formats.ts";
import { lex } from "../../../../src/tools/code-review/lexer/lexer.ts";
import { lexisOf } from "../../../../src/tools/code-review/lexer/lexis.ts";
import type { ReaderEntry } from "../../../../src/tools/code-review/taint/schema.ts";
import { isLong } from "../../../support/runs.ts";
import { TAINT_FILES } from "./taint-files.ts";

const SOURCE = join(import.meta.dirname, "../../../../src/tools/code-review");
/** Length at which an expression that takes cubic time would take minutes. */
export const LENGTH = isLong() ? 16_000 : 4_000;

/** Returns every regular expression in the tool's source, as its own lexer reads it, and in its data. */
export function writtenExpressions(): RegExp[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const found = files.flatMap(
    (file) => lex(readFileSync(join(SOURCE, file), "utf8"), lexisOf(file, "javascript")).tokens,
  );
  const expressions = found.flatMap(({ kind, text }) => {
    if (kind !== "regex") return [];
    const end = text.lastIndexOf("/");
    return [new RegExp(text.slice(1, end), text.slice(end + 1).replace("y", ""))];
  });
  return [
    ...expressions,
    ...TOKEN_FORMATS.map(({ rest }) => new RegExp(rest.source)),
    ...dataExpressions().map((source) => new RegExp(source)),
  ];
}

function dataExpressions(): string[] {
  return TAINT_FILES.flatMap(({ sources, sinks = {} }) => [
    ...sources.map(({ path }) => path),
    ...Object.values(sinks)
      .flat()
      .flatMap(({ path, unless, onlyWith }: Partial<ReaderEntry>) => [path, unless, onlyWith])
      .filter((source) => source !== undefined),
  ]);
}

/** Returns long lines that a pattern nearly matches many times, from its own letters and common repetitions in code. */
export function hardLines({ source }: RegExp): string[] {
  const letters = source
    .replace(/\\[bsdwSDWB]|[\\^$*+?.()|[\]{}:=!<>]|\d,?/g, " ")
    .replace(/ {1,99}/g, " ")
    .slice(0, 60);
  const words = letters.split(" ").filter((word) => word.length > 1);
  const pieces = [
    letters,
    words[0] ?? "a",
    `${words[0] ?? "a"} `,
    `${words[1] ?? "b"} =`,
    "a",
    " ",
    "a ",
    '"',
    "a.",
    "-",
    "A1",
    "${",
    "\\",
    "(a,",
    "\t\n",
  ];
  return [...new Set(pieces)].map((piece) => piece.repeat(Math.ceil(LENGTH / Math.max(1, piece.length))));
}
