import { hash } from "node:crypto";
import type { LazyFacts, Target } from "./facts.ts";
import type { Language } from "./languages/language.ts";
import { LANGUAGES } from "./languages/languages.ts";
import type { Entry } from "./read-files.ts";
import type { Edge, Repository } from "./repository.ts";
import { haveSameOutline, type Resolution, resolveImports } from "./resolution.ts";
import type { Scan } from "./scan-cache.ts";

interface Sources {
  entries: ReadonlyMap<string, Entry>;
  /** All existing files, deleted ones that count as existing, and the paths that links add. */
  paths: ReadonlySet<string>;
  /** The files that links lead to, by the paths that the links add. */
  linked: ReadonlyMap<string, string>;
  /** Also of a path that a link adds. */
  text(path: string): string | undefined;
  /** The scan of an earlier run. */
  before: Scan;
}

/** Resolves the imports of all files, by the first of the languages that share a resolver. */
export function resolutionsOf({ entries, paths, linked, text, before }: Sources): Map<string, Resolution> {
  const isChanged = (path: string) =>
    !haveSameOutline(entries.get(path)?.facts, before.entries.get(path)?.facts);
  const digest = (path: string) => entries.get(path)?.hash ?? hash("sha1", text(path) ?? "");
  const resolutions = new Map<string, Resolution>();
  for (const resolver of new Set(LANGUAGES.map((language) => language.resolver))) {
    const languages = LANGUAGES.filter((language) => language.resolver === resolver);
    const { name } = languages[0] as Language;
    const files = new Map<string, LazyFacts>();
    for (const [path, entry] of entries)
      if (entry.facts && languages.some((language) => language.name === entry.language))
        files.set(path, entry.facts);
    if (files.size === 0) continue;
    const earlier = { before: before.resolutions.get(name), isChanged };
    resolutions.set(name, resolveImports(resolver, { paths, linked, text, files, digest, ...earlier }));
  }
  return resolutions;
}

type Dependencies = Pick<Repository, "edges" | "packages" | "missing">;

export function dependenciesOf(resolutions: ReadonlyMap<string, Resolution>): Dependencies {
  const edges: Edge[] = [];
  const packages: { from: string; id: string; name: string }[] = [];
  const missing: { from: string; module: string }[] = [];
  const add = (from: string, target: Target) => {
    if (target.kind === "file") edges.push({ from, to: target.path });
    else if (target.kind === "package") packages.push({ from, id: target.id, name: target.name });
    else missing.push({ from, module: target.module });
  };
  for (const { targets } of resolutions.values())
    for (const [from, own] of targets) for (const target of own) add(from, target);
  return { edges: edges.sort(byEnds), packages, missing };
}

function byEnds(left: Edge, right: Edge): number {
  return compare(left.from, right.from) || compare(left.to, right.to);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
