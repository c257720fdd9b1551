import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Problem } from "../../../contract/problem.ts";
import type { OpenOptions, Repository } from "../../../repository/repository.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { count } from "../../ui/format.ts";

/** What a project without git has at its top. */
const MARKS = [
  "package.json",
  "pyproject.toml",
  "setup.py",
  "go.mod",
  "Cargo.toml",
  "pom.xml",
  "build.gradle",
];

/** The repository that people are in; undefined where they are in none. */
export async function repositoryHere(
  context: Context,
  options: OpenOptions = {},
): Promise<Repository | undefined> {
  const directory = context.io.workingDirectory;
  const top = above(directory, [".git"]) ?? above(directory, MARKS);
  return top === undefined ? undefined : openAt(context, top, options);
}

export async function openAt(
  context: Context,
  directory: string,
  options: OpenOptions = {},
): Promise<Repository> {
  const { io, progress, settings } = context;
  const { openRepository } = await import("../../../repository/repository.ts");
  const cacheDirectory = settings.directories.cache;
  const opening = openRepository(directory, { cacheDirectory, signal: io.interrupted, ...options });
  return progress.during("Reading the repository", opening);
}

/** The path that a name means, where people are or at the end of just one. Undefined where no file is called so. */
export async function fileNamed(
  context: Context,
  repository: Repository,
  name: string,
): Promise<string | undefined> {
  const { filesNamed } = await import("../../../repository/find-file.ts");
  const id = `${repository.name}:`;
  const path = name.startsWith(id) ? name.slice(id.length) : name;
  const from = relative(repository.top, realpathSync(context.io.workingDirectory)).split(sep).join("/");
  const found = filesNamed(repository, path, from);
  if (found.length <= 1) return found[0];
  const [some, rest] = [found.slice(0, 5), found.length - 5];
  throw new UsageError(
    `${count(found.length, "file")} are called ${name}: ${some.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`,
    "Write more of the path.",
  );
}

/** As `fileNamed`, where nothing but a file will do. */
export async function requireFile(context: Context, repository: Repository, name: string): Promise<string> {
  const path = await fileNamed(context, repository, name);
  if (path === undefined) throw noFile(repository, name);
  return path;
}

/** Refuses what is no file, before anybody is asked to sign in for it. */
export async function requireRecorded(
  context: Context,
  repository: Repository | undefined,
  name: string,
): Promise<void> {
  if (!repository) return;
  try {
    await context.client.credential();
  } catch {
    throw noFile(repository, name);
  }
}

/** What the server does not know either. */
export function orNoFile(error: unknown, repository: Repository | undefined, name: string): unknown {
  return repository && error instanceof Problem && error.error === "not_found"
    ? noFile(repository, name)
    : error;
}

function noFile(repository: Repository, name: string): UsageError {
  return new UsageError(
    `${repository.name} has no file ${name}.`,
    "Name a file by its path or the end of it; what a project recorded itself is found when you are signed in.",
  );
}

/** The nearest directory upwards that has one of these. */
function above(directory: string, names: readonly string[]): string | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    if (names.some((name) => existsSync(join(at, name)))) return at;
    if (at === dirname(at)) return undefined;
  }
}
