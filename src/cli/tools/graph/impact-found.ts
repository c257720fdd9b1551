import type { NotFollowed } from "../../../repository/not-followed.ts";
import type { Reached } from "../../../repository/reach.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { TestCommand } from "../../../repository/tests/test-commands.ts";
import type { Ways } from "./recorded-ways.ts";

export interface ImpactOptions extends Ways {
  /** The commit to compare with, or true for the last one. */
  diff?: string | true;
  depth?: number;
  limit: number;
}

export interface Found {
  repository: Repository;
  starts: readonly string[];
  reached: readonly Reached[];
  /** Files in languages that are not followed, which may be related too. */
  notFollowed: readonly NotFollowed[];
  /** The language of the only start, if it is not followed. */
  unknown: string | undefined;
  commands: readonly TestCommand[];
}

export async function foundFrom(
  repository: Repository,
  starts: readonly string[],
  { direction = "in", depth, diff }: Pick<ImpactOptions, "direction" | "depth" | "diff">,
): Promise<Found> {
  const { reach } = await import("../../../repository/reach.ts");
  const { notFollowedFrom, notFollowedLanguage } = await import("../../../repository/not-followed.ts");
  const { testCommands } = await import("../../../repository/tests/test-commands.ts");
  const reached = reach(repository.edges, starts, { direction, depth });
  // A changed test is run as well.
  const all = [...starts, ...reached.map(({ path }) => path)];
  const tests = all.filter((path) => isTest(repository, path) || holdsTests(repository, path));
  const commands = direction === "in" ? testCommands(repository, tests) : [];
  const notFollowed = notFollowedFrom(repository, starts, direction, { areChanges: diff !== undefined });
  const isOne = starts.length === 1 && reached.length === 0;
  const unknown = isOne ? notFollowedLanguage(repository, starts[0] as string) : undefined;
  return { repository, starts, reached, notFollowed, unknown, commands };
}

export function isTest({ files }: Repository, path: string): boolean {
  return files.get(path)?.isTest === true;
}

export function holdsTests({ files }: Repository, path: string): boolean {
  return files.get(path)?.holdsTests === true;
}
