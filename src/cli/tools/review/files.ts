import type { RouteInput } from "../../../client/routes.ts";
import { namesOnLines } from "../../../repository/names-on-lines.ts";
import { parseDiff } from "../../../tools/code-review/diff/parse.ts";
import type { Io } from "../../terminal/io.ts";
import type { Diff } from "./diff.ts";
import { importersOf } from "./importers.ts";
import { followImports, openLeads, ToldImports, textIn } from "./imports.ts";
import type { Snapshot } from "./snapshot.ts";

type Sent = Pick<RouteInput<"POST /api/v1/tools/code-review">, "files" | "imports">;

const MAX_FILES = 2000;
/** The most files of a change beyond which nothing is looked up: the review of a larger one stays a matter of a second. */
const MAX_FOLLOWED = 30;
/** The most bytes of all files together. Further ones are left out. */
const MAX_BYTES = 16 << 20;
/** The most files of a change, and characters of its diff, beyond which its callers are not searched for: as above. */
const MAX_CALLED = { files: 10, characters: 60_000 };
/** How long callers are searched for, as in a repository of a million files, or one whose disk is far away. */
const PATIENCE_MS = 10_000;
/** The most names of changed functions that are searched for. */
const MAX_NAMES = 50;

/**
 * Returns the files of a diff as they are after it, for the code outside its hunks, then those that they import and
 * that import them, and where each import leads. The review ignores a file that does not match the diff. Returns none
 * for a diff from elsewhere: it could name any local file, such as one with secrets, and so cause it to be sent.
 */
export async function filesOf(
  { of, text, whole }: Diff,
  { interrupted, err }: Pick<Io, "interrupted" | "err">,
  patienceMs = PATIENCE_MS,
): Promise<Sent> {
  if (!of) return {};
  const around = await of.around();
  await around.fetch(of.paths);
  const told = new ToldImports();
  const until = AbortSignal.timeout(patienceMs);
  const given = { around, told, text, isWhole: whole ?? false, until };
  const besides = await besidesOf(of.paths, given, () =>
    err.line(`Who calls what changed was not looked up: git searched for it for ${patienceMs / 1000} s.`),
  );
  interrupted.throwIfAborted();
  const files: NonNullable<Sent["files"]> = [];
  let bytes = 0;
  // What is in whole files, their diff says.
  for (const path of whole ? besides : [...of.paths, ...besides]) {
    if (files.length >= MAX_FILES) break;
    const content = around.contents(path);
    if (!content || content.includes(0)) continue;
    bytes += content.length;
    if (bytes > MAX_BYTES) break;
    files.push({ path, content: content.toString("utf8") });
  }
  return {
    ...(files.length > 0 && { files }),
    ...(Object.keys(told.all).length > 0 && { imports: told.all }),
  };
}

interface Besides {
  around: Snapshot;
  told: ToldImports;
  /** The diff. */
  text: string;
  isWhole: boolean;
  /** Ends the search for callers. */
  until: AbortSignal;
}

/** Returns the files in which the review looks things up: what its files import, and what imports these. */
async function besidesOf(
  paths: readonly string[],
  { around, told, text, isWhole, until }: Besides,
  giveUp: () => void,
): Promise<string[]> {
  const isLarge = paths.length > MAX_FOLLOWED;
  if (isLarge && !isWhole) return [];
  const isTooLong = !isWhole && text.length > MAX_CALLED.characters;
  const leads = await openLeads(around);
  let known: readonly string[] | undefined;
  const names = () => {
    known ??= changedNames(text, around);
    return known;
  };
  const importersFound = () =>
    importersOf(paths, { around, leads, told, names, until }).catch((error: unknown) => {
      if (!until.aborted) throw error;
      giveUp();
      return [];
    });
  // The former begins with a search by git, which goes on meanwhile.
  const [importers, imported] = await Promise.all([
    isTooLong || paths.length > MAX_CALLED.files ? [] : importersFound(),
    followImports(paths, leads, told),
  ]);
  await around.fetch(imported);
  return [...new Set([...imported, ...importers])];
}

/** Returns the names of what is defined where a diff adds lines. */
function changedNames(diff: string, around: Snapshot): string[] {
  const names = parseDiff(diff).flatMap(({ path, hunks }) => {
    const added = hunks.flatMap(({ lines }) => lines.filter(({ added }) => added));
    const text = added.length > 0 ? textIn(around, path) : undefined;
    return text === undefined
      ? []
      : namesOnLines(
          path,
          text,
          added.map(({ number }) => number),
        );
  });
  return [...new Set(names)].slice(0, MAX_NAMES);
}
