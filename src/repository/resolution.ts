import { hash } from "node:crypto";
import type { Facts, LazyFacts, Target } from "./facts.ts";
import type { Language, Project } from "./languages/language.ts";

/**
 * The targets of all imports of one language, or of several that share a resolver, with what they were resolved from.
 * Cached between runs.
 */
export interface Resolution {
  /** Digest of the repository's paths and of the configuration's contents. */
  basis: string;
  /** Paths of the files whose contents the resolver read, such as manifests. */
  configuration: readonly string[];
  /** Whether the resolver looked at what other files define or import. */
  usesOthers: boolean;
  /** By file, without duplicates and without the file itself. */
  targets: ReadonlyMap<string, readonly Target[]>;
}

interface Sources extends Pick<Project, "paths" | "text"> {
  /** The files that links lead to, by the paths that the links add to `paths`. */
  linked: ReadonlyMap<string, string>;
  /** The files of the language, or of the languages. */
  files: ReadonlyMap<string, LazyFacts>;
  /** Returns a digest of a file's contents, also if there is no such file. */
  digest(path: string): string;
  /** The resolution of an earlier run. */
  before: Resolution | undefined;
  /** Whether the facts of a file are different from those that `before` was made of. */
  isChanged(path: string): boolean;
}

/**
 * Resolves the imports of files with one resolver. As a build system does, it records what the resolver reads, so that a
 * later run resolves only the files that changed while the paths and the configuration stay the same. Returns `before`
 * itself if nothing changed.
 */
export function resolveImports(
  resolver: Language["resolver"],
  { paths, linked, text, files, digest, before, isChanged }: Sources,
): Resolution {
  const basisOf = (configuration: readonly string[]) =>
    hash(
      "sha1",
      [process.version, ...paths, "", ...linked.values(), "", ...configuration.map(digest)].join("\0"),
    );
  const changed = new Set([...files.keys()].filter((path) => !before?.targets.has(path) || isChanged(path)));
  const isSame = changed.size === 0 && before?.targets.size === files.size;
  const isUsable = before?.basis === basisOf(before?.configuration ?? []) && (isSame || !before.usesOthers);
  if (isUsable && isSame) return before;

  const configuration = new Set(isUsable ? before.configuration : []);
  let usesOthers = isUsable && before.usesOthers;
  let facts: ReadonlyMap<string, Facts> | undefined;
  const watched: Project = {
    paths,
    get facts() {
      usesOthers = true;
      facts ??= new Map([...files].map(([path, { value }]) => [path, value]));
      return facts;
    },
    text(path) {
      configuration.add(path);
      return text(path);
    },
  };
  const resolve = resolver(watched);
  const followed = (target: Target): Target =>
    target.kind === "file" ? { ...target, path: linked.get(target.path) ?? target.path } : target;
  const targets = new Map<string, readonly Target[]>();
  for (const [path, own] of files) {
    const known = isUsable && !changed.has(path) ? before.targets.get(path) : undefined;
    targets.set(path, known ?? distinct(resolve(path, own.value).map(followed), path));
  }
  const read = [...configuration];
  return { basis: basisOf(read), configuration: read, usesOthers, targets };
}

/** Whether two files import, define and use the same, perhaps on other lines. */
export function haveSameOutline(left: LazyFacts | undefined, right: LazyFacts | undefined): boolean {
  return left === right || (left && outlineOf(left.value)) === (right && outlineOf(right.value));
}

function outlineOf({ definitions, ...facts }: Facts): string {
  return JSON.stringify([facts, definitions.map(({ name, kind }) => [name, kind])]);
}

function distinct(targets: readonly Target[], from: string): Target[] {
  const byKey = new Map<string, Target>();
  for (const target of targets) {
    const [key, isOther] =
      target.kind === "file"
        ? [target.path, target.path !== from]
        : [`${target.kind} ${target.kind === "missing" ? target.module : target.id}`, true];
    if (isOther && !byKey.has(key)) byKey.set(key, target);
  }
  return [...byKey.values()];
}
