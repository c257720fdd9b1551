import { posix, relative } from "node:path";
import type { NotFollowed } from "../../../repository/not-followed.ts";
import type { Reached } from "../../../repository/reach.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { TestCommand } from "../../../repository/tests/test-commands.ts";
import { defined } from "../../../system/defined.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { count, number } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { fileNamed, orNoFile, repositoryHere, requireFile, requireRecorded } from "./here.ts";
import { isNotFollowed, notFollowedLine } from "./not-followed.ts";
import { impactOfRecorded, type Ways } from "./recorded-ways.ts";

export interface ImpactOptions extends Ways {
  /** True, or the commit since which. */
  diff?: string | true;
  depth?: number;
  limit: number;
}

/** What breaks if a file changes, or what was changed: of the repository here, else of what was recorded. */
export async function impact(
  context: Context,
  name: string | undefined,
  options: ImpactOptions,
): Promise<Outcome> {
  if (options.diff !== undefined) {
    if (name !== undefined)
      throw new UsageError("Name a file, or --diff for all that was changed; not both.");
    const { repository, starts } = await changedHere(context, options.diff);
    return report(context, await foundFrom(repository, starts, options), options);
  }
  if (name === undefined) throw new UsageError("Name a file, or --diff for all that was changed.");
  const repository = await repositoryHere(context);
  const path = repository && (await fileNamed(context, repository, name));
  if (repository && path !== undefined)
    return report(context, await foundFrom(repository, [path], options), options);
  await requireRecorded(context, repository, name);
  return impactOfRecorded(context, name, options).catch((error) => {
    throw orNoFile(error, repository, name);
  });
}

/** As the document of `tool graph impact` has it, of the repository here alone: of a file, or of what was changed. */
export async function impactHere(context: Context, name: string | undefined): Promise<ImpactDocument> {
  const repository = name === undefined ? undefined : await repositoryHere(context);
  if (name === undefined) {
    const changed = await changedHere(context, true);
    return documentOf(await foundFrom(changed.repository, changed.starts, {}), { diff: true });
  }
  if (!repository) throw noRepository();
  return documentOf(await foundFrom(repository, [await requireFile(context, repository, name)], {}), {});
}

function noRepository(): UsageError {
  return new UsageError("There is no repository here.", "Start it in one.");
}

async function changedHere(
  context: Context,
  diff: string | true,
): Promise<{ repository: Repository; starts: readonly string[] }> {
  const { io } = context;
  const { changesSince } = await import("../../../repository/changes.ts");
  const commit = diff === true ? undefined : diff;
  const changes = await changesSince(io.workingDirectory, commit, io.interrupted).catch(() => {
    io.interrupted.throwIfAborted();
    throw new UsageError(
      commit === undefined ? "There is no git repository here." : `git knows no commit ${commit} here.`,
      commit === undefined ? "Name a file instead." : undefined,
    );
  });
  const repository = await repositoryHere(context, { gone: changes.gone });
  if (!repository) throw new UsageError("There is no git repository here.", "Name a file instead.");
  return { repository, starts: changes.changed };
}

export type ImpactDocument = ReturnType<typeof documentOf>;

interface Found {
  repository: Repository;
  starts: readonly string[];
  reached: readonly Reached[];
  /** What may depend on them as well, or they on it: nobody knows. */
  notFollowed: readonly NotFollowed[];
  /** The language of the only start, where that is one of these. */
  unknown: string | undefined;
  commands: readonly TestCommand[];
  /** As a word of a shell. */
  quoted(word: string): string;
}

async function foundFrom(
  repository: Repository,
  starts: readonly string[],
  { direction = "in", depth }: Pick<ImpactOptions, "direction" | "depth">,
): Promise<Found> {
  const { reach } = await import("../../../repository/reach.ts");
  const { notFollowedFrom, notFollowedLanguage } = await import("../../../repository/not-followed.ts");
  const { quoted } = await import("../../../repository/tests/runner.ts");
  const { testCommands } = await import("../../../repository/tests/test-commands.ts");
  const reached = reach(repository.edges, starts, { direction, ...defined({ depth }) });
  // A test that was changed is one to run.
  const all = [...starts, ...reached.map(({ path }) => path)];
  const tests = all.filter((path) => isTest(repository, path) || holdsTests(repository, path));
  const commands = direction === "in" ? testCommands(repository, tests) : [];
  const notFollowed = notFollowedFrom(repository, starts, direction);
  const isOne = starts.length === 1 && reached.length === 0;
  const unknown = isOne ? notFollowedLanguage(starts[0] as string) : undefined;
  return { repository, starts, reached, notFollowed, unknown, commands, quoted };
}

function report(context: Context, found: Found, options: ImpactOptions): Outcome {
  const isKnown = found.unknown === undefined || options.diff !== undefined;
  return {
    document: documentOf(found, options),
    lines: linesOf(context, found, options),
    exitCode: isKnown ? EXIT.done : EXIT.negative,
  };
}

/** As the server has it, with the files by name, and the tests. */
function documentOf(
  { repository, starts, reached, notFollowed, commands }: Found,
  options: Partial<ImpactOptions>,
) {
  const idOf = (path: string) => `${repository.name}:${path}`;
  const counts: Record<string, number> = {};
  for (const { distance } of reached) counts[distance] = (counts[distance] ?? 0) + 1;
  const entity = (path: string) => ({ id: idOf(path), type: "file", name: path });
  return {
    repository: repository.name,
    ...(options.diff === undefined
      ? { entity: entity(starts[0] as string) }
      : { changed: starts.map(entity) }),
    depth: options.depth ?? null,
    direction: options.direction ?? "in",
    entities: reached.map(({ path, distance, way }) => ({
      id: idOf(path),
      file: path,
      test: isTest(repository, path),
      distance,
      path: way.map(({ from, to }) => ({ type: "imports", from: idOf(from), to: idOf(to) })),
    })),
    counts,
    notFollowed,
    testCommands: commands,
  };
}

function linesOf(context: Context, found: Found, { direction = "in", limit, diff }: ImpactOptions): string[] {
  const { io } = context;
  const { repository, starts, reached } = found;
  const { style } = io.out;
  if (starts.length === 0) return ["Nothing was changed."];
  const what = diff === undefined ? style.bold(starts[0] as string) : count(starts.length, "changed file");
  const verb = { in: reached.length === 1 ? "depends" : "depend", out: "", both: "" }[direction];
  const tests = reached.filter(({ path }) => isTest(repository, path));
  const all = [...starts, ...reached.map(({ path }) => path)];
  // Where tests stand beside what they test, a file may have its own.
  const toRun = [
    ...tests.map(({ path }) => path),
    ...all.filter((path) => holdsTests(repository, path) && !isTest(repository, path)),
  ];
  const rest = direction === "in" ? reached.filter(({ path }) => !isTest(repository, path)) : reached;
  const head = {
    in: `${count(reached.length, "file")} ${verb} on ${what}${tests.length > 0 ? `, ${number(tests.length)} of them ${tests.length === 1 ? "a test" : "tests"}` : ""}`,
    out: `${what} depends on ${count(reached.length, "file")}`,
    both: `${count(reached.length, "file")} and ${what} depend on each other, one way or the other`,
  }[direction];
  const unknown = diff === undefined ? found.unknown : undefined;
  const asked = {
    in: `what depends on ${what}`,
    out: `what ${what} depends on`,
    both: `what depends on ${what}, or it on`,
  }[direction];
  return [
    unknown ? `${isNotFollowed(unknown)}: ${asked} is not known` : head,
    ...(diff !== undefined
      ? ["", ...starts.slice(0, limit).map((path) => `  ${path}`), ...more(starts.length, limit)]
      : []),
    ...(rest.length > 0 ? ["", ...nearest(rest, limit, context)] : []),
    ...(direction === "in" ? testLines(context, found, toRun, limit) : []),
    ...(unknown || found.notFollowed.length === 0
      ? []
      : [
          "",
          style.dim(
            `${notFollowedLine(found.notFollowed)}; more may depend on ${diff === undefined ? "it" : "them"}`,
          ),
        ]),
  ];
}

function nearest(reached: readonly Reached[], limit: number, { io }: Context): string[] {
  const columns = [
    { title: "Hops", align: "right" } as const,
    { title: "File", shrink: true },
    { title: "By way of", shrink: true, minor: true },
  ];
  const rows = reached.slice(0, limit).map((each) => [String(each.distance), each.path, before(each)]);
  return [...table(columns, rows, io.out), ...more(reached.length, limit)];
}

/** The file on the way that is next to it; itself a start where that is all. */
function before({ path, way }: Reached): string {
  const last = way.at(-1);
  return last === undefined ? "" : last.from === path ? last.to : last.from;
}

function testLines({ io }: Context, found: Found, tests: readonly string[], limit: number): string[] {
  const { style } = io.out;
  const here = (directory: string) =>
    relative(io.workingDirectory, posix.join(found.repository.top, directory));
  const { quoted } = found;
  const commands = found.commands.map(({ directory, command }) => {
    const way = here(directory);
    return way === "" ? command : `cd ${quoted(way)} && ${command}`;
  });
  return [
    ...(tests.length > 0
      ? [
          "",
          style.dim("Tests"),
          ...tests.slice(0, limit).map((path) => `  ${path}`),
          ...more(tests.length, limit),
        ]
      : []),
    ...(commands.length > 0 ? ["", style.dim("Run them"), ...commands.map((command) => `  ${command}`)] : []),
  ];
}

function more(length: number, limit: number): string[] {
  return length > limit ? [`  and ${number(length - limit)} more: --limit ${length}, or --json for all`] : [];
}

function isTest({ files }: Repository, path: string): boolean {
  return files.get(path)?.isTest === true;
}

function holdsTests({ files }: Repository, path: string): boolean {
  return files.get(path)?.holdsTests === true;
}
