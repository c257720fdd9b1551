import { isBuiltin } from "node:module";
import { posix } from "node:path";
import type { Facts, Target } from "../../facts.ts";
import { nearest } from "../../files/nearest.ts";
import { fileTarget, type Project } from "../language.ts";
import { type Manifest, manifestsOf } from "./manifests.ts";
import { nuxtNames } from "./nuxt-names.ts";
import { pathMappings } from "./path-mappings.ts";
import { testSetup } from "./test-setup.ts";
import { isOfProject, unwrittenMappings } from "./unwritten-mappings.ts";

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
/** Tried in this order after the path that an import names. */
const ENDINGS = [...EXTENSIONS, ".d.ts", ".json", ".vue", ".svelte", ".node"];
/** TypeScript imports name the compiled file. */
const SOURCES: Record<string, string[]> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};
/** Build output directories. Their files are built from `src` or from the package's directory. */
const BUILT = /^(?:(?:dist|build|lib|out|output|esm|cjs|es|types|compiled|\.)\/)+/;

/** Files that determine how specifiers other than paths resolve, in their directory and below. */
const CONFIGURATION = /(?:^|\/)(?:package\.json|[jt]sconfig\.json|(?:svelte|nuxt)\.config\.[cm]?[jt]s)$/;

/** Resolves an import to the file of the repository that Node, TypeScript or a bundler would find. */
export function javascriptResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const { paths } = project;
  const manifests = manifestsOf(project);
  const byStem = filesByStem(paths);
  /** Caches lookups: half of the imports of a large repository are of few modules. */
  const looked = new Map<string, string | undefined>();
  // `pathMappings` already looks files up, so `looked` has to exist.
  const mappings = pathMappings(project, configOf);
  const unwritten = unwrittenMappings(project);
  const named = nuxtNames(project);
  const setup = testSetup(project, fileOrDirectory);

  /** Resolves an `extends` of a tsconfig.json that names a package of the repository. */
  function configOf(specifier: string): string | undefined {
    const name = packageIn(specifier);
    const directory = manifests.member(name);
    const own = directory !== undefined && name === specifier ? posix.join(directory, "tsconfig.json") : "";
    return paths.has(own) ? own : packageFile(specifier, { name, directory });
  }

  /** Finds a file by its exact name, with an ending added, or as the source that compiles to it. */
  function fileOf(path: string): string | undefined {
    if (paths.has(path)) return path;
    const found = byStem.get(path)?.path;
    if (found !== undefined) return found;
    const extension = posix.extname(path);
    const stem = path.slice(0, path.length - extension.length);
    return SOURCES[extension]?.map((source) => stem + source).find((candidate) => paths.has(candidate));
  }

  function fileOrDirectory(path: string): string | undefined {
    if (looked.has(path)) return looked.get(path);
    const found = (path === "." ? undefined : fileOf(path)) ?? entryOf(path);
    looked.set(path, found);
    return found;
  }

  /** Returns the entry file of a directory. */
  function entryOf(directory: string): string | undefined {
    const entries = manifests.at(directory)?.entries ?? [];
    return firstOf(entries, (entry) => madeFrom(directory, entry)) ?? fileOf(posix.join(directory, "index"));
  }

  /** Finds the file that a manifest names, or the source that it is built from. */
  function madeFrom(directory: string, target: string): string | undefined {
    const path = posix.join(directory, target);
    const found = fileOf(path) ?? (path === directory ? undefined : fileOf(posix.join(path, "index")));
    if (found !== undefined) return found;
    const inside = posix.normalize(target);
    const rest = inside.replace(BUILT, "");
    if (rest === inside) return undefined;
    const stem = rest.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
    return fileOf(posix.join(directory, "src", stem)) ?? fileOf(posix.join(directory, stem));
  }

  /** Resolves a path into build output to its source, unless the importing file is in that output. */
  function builtFrom(file: string, path: string): string | undefined {
    const manifest = manifests.above(path);
    if (!manifest) return undefined;
    const inside = posix.relative(manifest.directory, path);
    const built = BUILT.exec(inside)?.[0];
    if (built === undefined || file.startsWith(posix.join(manifest.directory, built))) return undefined;
    return madeFrom(manifest.directory, inside);
  }

  function packageFile(
    specifier: string,
    { name, directory }: { name: string; directory: string | undefined },
  ): string | undefined {
    if (directory === undefined) return undefined;
    const rest = specifier.slice(name.length + 1);
    const manifest = manifests.at(directory);
    const exported = manifest?.exported(rest);
    if (exported) {
      return firstOf(exported, (target) => madeFrom(directory, target));
    }
    if (rest === "") return entryOf(directory) ?? fileOf(posix.join(directory, "src/index"));
    return fileOrDirectory(posix.join(directory, rest)) ?? fileOf(posix.join(directory, "src", rest));
  }

  function resolve(file: string, specifier: string, scope: Map<string, Target>): Target {
    const path = specifier.replace(/[?].*$/, "").replace(/^(?:.*!)(?=\.{0,2}\/)/, "");
    if (/^\.{1,2}(?:\/|$)/.test(path)) {
      const joined = posix.join(posix.dirname(file), path);
      // A slash at the end names a directory, even beside a file of that name.
      const found = path.endsWith("/") ? entryOf(posix.normalize(`${joined}.`)) : fileOrDirectory(joined);
      const meant = found ?? builtFrom(file, joined);
      return meant === undefined ? { kind: "missing", module: specifier } : fileTarget(meant);
    }
    const known = scope.get(specifier);
    if (known) return known;
    const target = resolveByConfiguration(file, path, specifier);
    scope.set(specifier, target);
    return target;
  }

  /** Depends on the file only through the configuration above it, so the result is cached per scope. */
  function resolveByConfiguration(file: string, path: string, specifier: string): Target {
    const name = packageIn(path);
    const own =
      firstOf(mappings(file, path), fileOrDirectory) ??
      firstOf(unwritten(file, path), fileOrDirectory) ??
      (path.startsWith("#") ? inOwnPackage(file, path) : undefined);
    if (own !== undefined) return fileTarget(own);
    if (path.startsWith("node:") || isBuiltin(path)) {
      return { kind: "package", id: `node:${path.replace(/^node:/, "")}`, name: path };
    }
    const found = packageFile(path, { name, directory: manifests.directoryOf(name, file) });
    if (found !== undefined) return fileTarget(found);
    if (path.startsWith("#") || path.startsWith("/") || isOfProject(path))
      return { kind: "missing", module: specifier };
    return { kind: "package", id: /^[a-z]+:/.test(path) ? path : `npm:${name}`, name };
  }

  function inOwnPackage(file: string, specifier: string): string | undefined {
    const manifest = manifests.above(file);
    const targets = manifest?.imported(specifier).filter((target) => target.startsWith(".")) ?? [];
    return firstOf(targets, (target) => madeFrom((manifest as Manifest).directory, target));
  }

  const scopes = new Map<string | undefined, Map<string, Target>>([[undefined, new Map()]]);
  for (const path of paths) if (CONFIGURATION.test(path)) scopes.set(posix.dirname(path), new Map());

  return (file, facts) => {
    const scope = scopes.get(nearest(scopes, file)) as Map<string, Target>;
    const imported = facts.imports.map(({ module }) => resolve(file, module, scope));
    return [...imported, ...named(file, facts), ...setup(file)];
  };
}

/** Indexes files by path without ending. Of several with the same stem, keeps the one whose ending is tried first. */
function filesByStem(paths: Iterable<string>): ReadonlyMap<string, { path: string; rank: number }> {
  const byStem = new Map<string, { path: string; rank: number }>();
  for (const path of paths) {
    for (const ending of [posix.extname(path), path.endsWith(".d.ts") ? ".d.ts" : ""]) {
      const rank = ENDINGS.indexOf(ending);
      const stem = path.slice(0, path.length - ending.length);
      if (rank >= 0 && rank < (byStem.get(stem)?.rank ?? ENDINGS.length)) byStem.set(stem, { path, rank });
    }
  }
  return byStem;
}

/** Returns the package of a specifier: `@acme/kit` of `@acme/kit/parts`. */
function packageIn(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

function firstOf<T, Found>(
  candidates: Iterable<T>,
  find: (candidate: T) => Found | undefined,
): Found | undefined {
  for (const candidate of candidates) {
    const found = find(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}
