import { firstIndex } from "../../../system/binary-search.ts";
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
    const found = joined(level.map((names) => names.get(name) ?? []));
    if (found.length > 0) return found;
  }
  return [];
}

/** Joins lists. Where only one has anything, returns it itself, as what is known of a list is kept for it. */
export function joined(lists: readonly (readonly string[])[]): readonly string[] {
  const some = lists.filter((list) => list.length > 0);
  return some.length === 1 ? (some[0] as readonly string[]) : some.flat();
}

/**
 * What is known of a list of paths: names that thousands of files declare are looked up by each of these, so that the list
 * must not be gone through each time.
 */
interface Known {
  sorted: readonly string[];
  /** The first path of those that begin alike. */
  first: Map<string, string>;
  byPlace?: ReadonlyMap<string | undefined, readonly string[]>;
}

const known = new WeakMap<readonly string[], Known>();

function knownOf(paths: readonly string[]): Known {
  const found = known.get(paths) ?? { sorted: paths.toSorted(), first: new Map<string, string>() };
  known.set(paths, found);
  return found;
}

/** Returns the path that has the longest beginning in common with `from`, a common source set before others. */
export function nearest(paths: readonly string[], from: string): string | undefined {
  if (paths.length < 2) return paths[0];
  const { sorted, first } = knownOf(paths);
  const at = firstIndex(sorted, (path) => path >= from);
  const length = Math.max(common(sorted[at - 1] ?? "", from), common(sorted[at] ?? "", from));
  const start = from.slice(0, length);
  let best = first.get(start);
  if (best !== undefined) return best;
  for (let each = firstIndex(sorted, (path) => path >= start); sorted[each]?.startsWith(start); each++)
    if (best === undefined || isBefore(sorted[each] as string, best)) best = sorted[each] as string;
  first.set(start, best as string);
  return best;
}

/** Returns paths by their place. A list has places of one kind. */
export function byPlace(
  paths: readonly string[],
  placeOf: (path: string) => string | undefined,
): ReadonlyMap<string | undefined, readonly string[]> {
  const own = knownOf(paths);
  if (own.byPlace) return own.byPlace;
  const places = new Map<string | undefined, string[]>();
  for (const path of paths) addTo(places, placeOf(path), path);
  own.byPlace = places;
  return places;
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
  const all = place === undefined ? [] : (byPlace(paths, placeOf).get(place) ?? []);
  return all.length === 0 || all.length > MAX_SHARING ? [first] : all;
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
