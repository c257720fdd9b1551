import { posix, relative } from "node:path";
import type { Reached } from "../../../repository/reach.ts";
import { argumentWord } from "../../../system/processes/shell-word.ts";
import type { Context } from "../../context.ts";
import { count, number } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { oneLine } from "../../ui/terminal-text.ts";
import { type Found, holdsTests, type ImpactOptions, isTest } from "./impact-found.ts";
import { isNotFollowed, notFollowedLine } from "./not-followed.ts";

export function impactLines(
  context: Context,
  found: Found,
  { direction = "in", limit, diff }: ImpactOptions,
): string[] {
  const { io } = context;
  const { repository, starts, reached } = found;
  const { style } = io.out;
  if (starts.length === 0) return ["Nothing was changed."];
  const what =
    diff === undefined ? style.bold(oneLine(starts[0] as string)) : count(starts.length, "changed file");
  const verb = { in: reached.length === 1 ? "depends" : "depend", out: "", both: "" }[direction];
  const tests = reached.filter(({ path }) => isTest(repository, path));
  const all = [...starts, ...reached.map(({ path }) => path)];
  // In some languages, a source file may contain its tests.
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
      ? ["", ...starts.slice(0, limit).map((path) => `  ${oneLine(path)}`), ...more(starts.length, limit)]
      : []),
    ...(rest.length > 0 ? ["", ...nearest(rest, limit, context)] : []),
    ...(direction === "in" ? testLines(context, found, toRun, limit) : []),
    ...absentLine(context, found),
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

function absentLine({ io }: Context, { repository }: Found): string[] {
  const absent = repository.leftOut.absent.length;
  return absent === 0
    ? []
    : ["", io.out.style.dim(`Not checked out, and not read: ${count(absent, "file")}`)];
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

/** Returns the previous file on the path, which may be the start. */
function before({ path, way }: Reached): string {
  const last = way.at(-1);
  return last === undefined ? "" : last.from === path ? last.to : last.from;
}

function testLines({ io }: Context, found: Found, tests: readonly string[], limit: number): string[] {
  const { style } = io.out;
  const here = (directory: string) =>
    relative(io.workingDirectory, posix.join(found.repository.top, directory));
  const commands = found.commands.map(({ directory, command }) => {
    const way = here(directory);
    return way === "" ? command : `cd ${argumentWord(way)} && ${command}`;
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
