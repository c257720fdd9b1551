import { addTo } from "../../add-to.ts";

/** The files that declare each name of one namespace. */
export type Names = ReadonlyMap<string, readonly string[]>;

/** More files than this that share a name in one place say little of which one is meant. */
const MAX_SHARING = 64;

/**
 * The files that declare each full name (`shop.cart.Basket`), in languages that name classes by package or namespace. The
 * name of an extension has a dot of its own: `shop.cart..total`.
 */
export class NamespaceTable {
  readonly #namespaces = new Map<string, Map<string, string[]>>();

  add(fullName: string, path: string): void {
    const [namespace, name] = split(fullName);
    const names = this.#namespaces.get(namespace) ?? new Map<string, string[]>();
    this.#namespaces.set(namespace, names);
    if (names.get(name)?.at(-1) !== path) addTo(names, name, path);
  }

  namesIn(namespace: string): Names | undefined {
    return this.#namespaces.get(namespace);
  }

  find(fullName: string): readonly string[] {
    const [namespace, name] = split(fullName);
    return this.#namespaces.get(namespace)?.get(name) ?? [];
  }

  /** Finds `a.b.C`, also as `a.b.C.Inner` and `a.b.C.member`. */
  findPrefix(fullName: string): readonly string[] {
    for (let end = fullName.length; end > 0; end = fullName.lastIndexOf(".", end - 1)) {
      const found = this.find(fullName.slice(0, end));
      if (found.length > 0) return found;
    }
    return [];
  }
}

/** Returns what a name means where the names of a level hide those of the levels after it. */
export function visible(levels: readonly (readonly Names[])[], name: string): readonly string[] {
  for (const level of levels) {
    const found = level.flatMap((names) => names.get(name) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the path that has the longest beginning in common with `from`, a common source set before others. */
export function nearest(paths: readonly string[], from: string): string | undefined {
  let best: string | undefined;
  let longest = -1;
  for (const path of paths) {
    const length = common(path, from);
    if (length < longest || (length === longest && !isBefore(path, best as string))) continue;
    best = path;
    longest = length;
  }
  return best;
}

/** Returns the nearest path, and those that share its place as far as these are not too many. */
export function nearestPlace(
  paths: readonly string[],
  from: string,
  placeOf: (path: string) => string | undefined,
): readonly string[] {
  if (paths.length < 2) return paths;
  const first = nearest(paths, from) as string;
  const place = placeOf(first);
  const all = place === undefined ? [first] : paths.filter((path) => placeOf(path) === place);
  return all.length > MAX_SHARING ? [first] : all;
}

function common(path: string, from: string): number {
  let at = 0;
  while (at < path.length && path[at] === from[at]) at++;
  return at;
}

function isBefore(path: string, other: string): boolean {
  const isCommon = (each: string) => /\/common(?:Main)?\//.test(each);
  return isCommon(path) === isCommon(other) ? path < other : isCommon(path);
}

/** Returns the full name of what a namespace holds. */
export function within(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}.${name}`;
}

function split(fullName: string): [namespace: string, name: string] {
  const dot = fullName.lastIndexOf(".");
  if (dot <= 0) return ["", fullName];
  return fullName[dot - 1] === "."
    ? [fullName.slice(0, dot - 1), fullName.slice(dot)]
    : [fullName.slice(0, dot), fullName.slice(dot + 1)];
}
