import { posix } from "node:path";
import { globPattern } from "../../files/glob.ts";
import { nearest } from "../../files/nearest.ts";
import type { Project } from "../language.ts";
import { membersOf } from "../members.ts";
import { membersOfJson } from "./json-with-comments.ts";
import { inPackageMap } from "./package-map.ts";

/** A `package.json`. */
export interface Manifest {
  directory: string;
  name: string | undefined;
  /** Candidates for the entry file of the package, best first. */
  entries: string[];
  /** Returns the targets of a subpath (empty for the package itself) by `exports`; undefined without `exports`. */
  exported(subpath: string): string[] | undefined;
  /** Returns the targets of a specifier that begins with `#`. */
  imported(specifier: string): string[];
  /** Requested versions, by package name. */
  dependencies: Record<string, unknown>;
}

export interface Manifests {
  at(directory: string): Manifest | undefined;
  /** Returns the nearest manifest in a directory above the file. */
  above(file: string): Manifest | undefined;
  /** Returns the directory of a workspace package. */
  member(name: string): string | undefined;
  /** Returns the directory of a package as named in a file, if it is in this repository. */
  directoryOf(name: string, file: string): string | undefined;
}

/** Version protocols that refer to a package of the same repository. */
const LOCAL = /^(?:workspace|file|link|portal):/;
const ENTRIES = ["source", "module", "main", "types", "typings", "browser"];

export function manifestsOf({ paths, text }: Pick<Project, "paths" | "text">): Manifests {
  const all = new Map<string, Manifest>();
  const globs: string[] = [];
  for (const path of paths) {
    const directory = posix.dirname(path);
    const base = posix.basename(path);
    if (base === "package.json") {
      const parsed = membersOfJson(text(path));
      all.set(directory, manifestOf(directory, parsed));
      globs.push(...globsIn(directory, parsed.workspaces));
    } else if (base === "lerna.json") {
      globs.push(...globsIn(directory, membersOfJson(text(path)).packages));
    } else if (base === "pnpm-workspace.yaml") {
      globs.push(...globsIn(directory, pnpmPackages(text(path) ?? "")));
    }
  }
  const isMember = membership(globs);
  const members = new Map<string, string>();
  const named = new Map<string, string>();
  for (const { name, directory } of all.values()) {
    if (name === undefined) continue;
    if (!named.has(name)) named.set(name, directory);
    if (isMember(directory)) members.set(name, directory);
  }

  function above(file: string): Manifest | undefined {
    return all.get(nearest(all, file) ?? "");
  }

  return {
    at: (directory) => all.get(directory),
    above,
    member: (name) => members.get(name),
    directoryOf(name, file) {
      const own = above(file);
      if (own?.name === name) return own.directory;
      const version = own?.dependencies[name];
      if (typeof version === "string" && LOCAL.test(version)) {
        const path = /^(?:file|link|portal):(.*)$/.exec(version)?.[1];
        return path === undefined
          ? (members.get(name) ?? named.get(name))
          : posix.join(own?.directory ?? "", path);
      }
      return members.get(name);
    },
  };
}

function manifestOf(directory: string, parsed: Record<string, unknown>): Manifest {
  const { name, exports, imports, dependencies, devDependencies, peerDependencies } = parsed;
  return {
    directory,
    name: typeof name === "string" && name !== "" ? name : undefined,
    entries: ENTRIES.map((member) => parsed[member]).filter((entry) => typeof entry === "string"),
    exported: (subpath) =>
      exports === undefined ? undefined : inPackageMap(exports, subpath === "" ? "." : `./${subpath}`),
    imported: (specifier) => inPackageMap(imports, specifier),
    dependencies: {
      ...membersOf(peerDependencies),
      ...membersOf(devDependencies),
      ...membersOf(dependencies),
    },
  };
}

function globsIn(directory: string, workspaces: unknown): string[] {
  const list = Array.isArray(workspaces) ? workspaces : membersOf(workspaces).packages;
  return [list]
    .flat()
    .filter((glob) => typeof glob === "string")
    .map((glob) =>
      glob.startsWith("!") ? `!${posix.join(directory, glob.slice(1))}` : posix.join(directory, glob),
    );
}

/** Reads the list under `packages:` without a YAML parser, since the file rarely holds more than plain lines. */
function pnpmPackages(text: string): string[] {
  const list = /^packages:[^\n]*\n((?:[ \t]*(?:-[^\n]*|#[^\n]*)?(?:\n|$))*)/m.exec(text)?.[1] ?? "";
  return [...list.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\n\s]+)/gm)].map(([, glob = ""]) => glob);
}

function membership(globs: readonly string[]): (directory: string) => boolean {
  const matchers = globs.map((glob) => ({
    isIn: !glob.startsWith("!"),
    pattern: globPattern(glob.replace(/^!/, "").replace(/\/$/, "")),
  }));
  return (directory) => matchers.findLast(({ pattern }) => pattern?.test(directory))?.isIn === true;
}
