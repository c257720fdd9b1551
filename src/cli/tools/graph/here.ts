import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { SignedOut } from "../../../client/errors.ts";
import { nearNames } from "../../../contract/near-names.ts";
import { Problem } from "../../../contract/problem.ts";
import type { OpenOptions, Repository } from "../../../repository/repository.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { count, listed, number } from "../../ui/format.ts";

/** The files that mark the top of a project without git. */
const MARKS = [
  "package.json",
  "pyproject.toml",
  "setup.py",
  "go.mod",
  "Cargo.toml",
  "pom.xml",
  "build.gradle",
];

/** Returns the repository of the working directory; undefined if there is none. */
export async function repositoryHere(
  context: Context,
  options: OpenOptions = {},
): Promise<Repository | undefined> {
  const directory = context.io.workingDirectory;
  if (await isElsewhere(context)) return openAt(context, directory, options);
  const top = above(directory, [".git"]) ?? above(directory, MARKS);
  return top === undefined ? undefined : openAt(context, top, options);
}

/** Whether GIT_DIR or GIT_WORK_TREE leads to a work tree. Git reads both relative to the folder that it is started in. */
async function isElsewhere({ io }: Context): Promise<boolean> {
  const { GIT_DIR, GIT_WORK_TREE } = io.environment;
  if (!GIT_DIR && !GIT_WORK_TREE) return false;
  const { git } = await import("../../../repository/files/list-files.ts");
  const asked = ["rev-parse", "--show-toplevel"];
  const answer = await git(io.workingDirectory, asked, io.interrupted).catch(() => "");
  return answer.trimEnd() !== "";
}

export async function openAt(
  context: Context,
  directory: string,
  options: OpenOptions = {},
): Promise<Repository> {
  const { io, progress, settings } = context;
  const { openRepository } = await import("../../../repository/open-repository.ts");
  const cacheDirectory = settings.directories.cache;
  const opening = openRepository(directory, { cacheDirectory, signal: io.interrupted, ...options });
  const repository = await progress.during("Reading the repository", opening);
  const { refusal, top, name } = repository;
  if (refusal) {
    progress.note(
      `${refusal.message} Until then, only .gitignore files in ${top} choose what is read, and the repository is called ${name}.`,
    );
  }
  return repository;
}

/** Returns a text such as `2 binary`, `1 submodule` or `2 links` for files that are not read. */
export function leftOutWords(reason: string, files: number): string {
  return /^(?:link|submodule)$/.test(reason) ? count(files, reason) : `${number(files)} ${reason}`;
}

/**
 * Returns the path that a name stands for: an absolute one, one relative to the working directory, or the end of a unique
 * path. Undefined if no file has it; throws `UsageError` if several do.
 */
export async function fileNamed(
  context: Context,
  repository: Repository,
  name: string,
): Promise<string | undefined> {
  const { filesNamed } = await import("../../../repository/find-file.ts");
  const id = `${repository.name}:`;
  const path = name.startsWith(id) ? name.slice(id.length) : name;
  const from = relative(repository.top, realpathSync(context.io.workingDirectory)).split(sep).join("/");
  const inside = pathInside(repository.top, path);
  const found = inside === undefined ? filesNamed(repository, path, from) : filesNamed(repository, inside);
  if (found.length <= 1) return found[0];
  throw new UsageError(
    `${count(found.length, "file")} are called ${name}: ${listed(found, MAX_ALIKE)}.`,
    "Write more of the path.",
  );
}

/** Converts an absolute path, as editors and agents give it, to one from the top; undefined if it is none, or leads out. */
function pathInside(top: string, path: string): string | undefined {
  if (!isAbsolute(path)) return undefined;
  const folder = dirname(path);
  // The file may be gone, or a link, which stands for itself.
  const found = join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
  const inside = relative(realpathSync(top), found).split(sep).join("/");
  return isAbsolute(inside) || inside === "" || inside.startsWith("../") ? undefined : inside;
}

/** Returns as `fileNamed` does, but throws `UsageError` if there is no such file. */
export async function requireFile(context: Context, repository: Repository, name: string): Promise<string> {
  const path = await fileNamed(context, repository, name);
  if (path === undefined) throw noFile(repository, name);
  return path;
}

/**
 * Throws that there is no such file, no work tree or no repository if the user is not signed in, rather than only asking
 * for a sign-in.
 */
export async function requireSignIn(
  context: Context,
  repository: Repository | undefined,
  name?: string,
): Promise<void> {
  try {
    await context.client.credential();
  } catch (error) {
    if (repository && name !== undefined) throw noFile(repository, name);
    const { requireWorkTree } = await import("../../../repository/files/work-tree.ts");
    requireWorkTree(context.io.workingDirectory);
    if (!(error instanceof SignedOut) || error.reason !== "none") throw error;
    throw new SignedOut(
      error.baseUrl,
      error.reason,
      `There is no repository here: neither .git nor a file such as package.json in this folder or above it. For what was recorded on ${error.baseUrl}, you are not signed in.`,
    );
  }
}

/** Returns the error about a missing file if the server does not know the name either; other errors unchanged. */
export function orNoFile(error: unknown, repository: Repository | undefined, name: string): unknown {
  return repository && error instanceof Problem && error.error === "not_found"
    ? noFile(repository, name)
    : error;
}

/** The most paths to name of files with the same name, and of those that may be meant by another. */
const MAX_ALIKE = 5;
const MAX_MEANT = 3;

function noFile(repository: Repository, name: string): UsageError {
  return new UsageError(
    `${repository.name} has no file ${name}.`,
    whereItIs(repository, name) ??
      "Name a file by its path or the end of it; what a project recorded itself is found when you are signed in.",
  );
}

/** Says what else the name stands for, or is like, in the repository. */
function whereItIs({ files, leftOut }: Repository, name: string): string | undefined {
  const paths = [...files.keys()];
  // `src/store.ts#Store.open` is how the graph names what a file defines.
  const defined = name.slice(name.indexOf("#") + 1);
  const defining = [...files.values()].filter(({ definitions }) =>
    definitions.some((each) => each.name === defined),
  );
  if (defining.length > 0)
    return `${defined} is defined in ${listed(
      defining.map(({ path }) => path),
      MAX_MEANT,
    )}: name that file.`;
  const directory = name.replace(/^(?:\.\/)+|\/+$/g, "");
  const submodule = leftOut.submodule.find((each) => `${directory}/`.startsWith(`${each}/`));
  if (submodule !== undefined)
    return `${submodule} is a submodule, which is not read: run this in ${submodule}.`;
  if (paths.some((path) => path.startsWith(`${directory}/`)))
    return `${directory} is a directory: name one of its files.`;
  const near = nearNames(posix.basename(directory), new Set(paths.map((path) => posix.basename(path))));
  const meant = near.flatMap((each) => paths.filter((path) => posix.basename(path) === each));
  return meant.length > 0 ? `Did you mean ${listed(meant, MAX_MEANT)}?` : undefined;
}

/** Returns the nearest directory upwards that contains one of the names. */
function above(directory: string, names: readonly string[]): string | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    if (names.some((name) => existsSync(join(at, name)))) return at;
    if (at === dirname(at)) return undefined;
  }
}
