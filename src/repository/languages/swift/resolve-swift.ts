import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";
import { type Names, NamespaceTable, nearestPlace, visible } from "../classes/namespace-table.ts";
import { fileTarget, type Project } from "../language.ts";
import { COMMON_MEMBERS } from "./common-members.ts";
import { type Modules, modulesOf } from "./modules.ts";

/** A member that an extension outside its type's file declares. */
interface Extending {
  /** The type that it extends, with its module; undefined if another library's. */
  type: string | undefined;
  module: string;
  path: string;
}

/** More types than this that have a member of one name say little of which one is meant. */
const MAX_EXTENDING = 64;

/**
 * Resolves the names that a file uses among those of its module, then of the modules that it imports. Of several files
 * that declare a name, takes the nearest and those beside it. An extension's members are looked up only by way of its
 * type: of one that the file names, or of another library's if nothing else has such a member.
 */
export function swiftResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const { facts } = project;
  const modules = modulesOf(project);
  const table = new NamespaceTable();
  const ids = new Map<string, string>();
  const exported = exportsOf(facts, modules);
  const scopeOf = scopes(facts, modules, exported);
  for (const [path, { declares = [] }] of facts)
    for (const name of declares) table.add(`${idOf(modules.of(path))}.${name}`, path);

  /** By type and member, the files that declare it. */
  const members = new Map<string, Map<string, string[]>>();
  const extending = new Map<string, Extending[]>();
  /** Members that types have without an extension. */
  const ordinary = new Set<string>();
  for (const [path, { parts = [] }] of facts) {
    const module = modules.of(path);
    for (const part of parts) {
      const type = typeOf(part.type, path);
      const key = type ?? ofOthers(part.type, module);
      const files = members.get(key) ?? new Map<string, string[]>();
      members.set(key, files);
      const isOwn = type !== undefined && table.find(outermost(type)).includes(path);
      for (const member of part.members) {
        addTo(files, member, path);
        if (isOwn) ordinary.add(member);
        else addTo(extending, member, { type, module, path });
      }
    }
  }

  function idOf(module: string): string {
    const known = ids.get(module) ?? `m${ids.size}`;
    ids.set(module, known);
    return known;
  }

  function namesIn(module: string): Names[] {
    return [table.namesIn(idOf(module))].filter((names) => names !== undefined);
  }

  function chosen(paths: readonly string[], from: string): readonly string[] {
    return nearestPlace(paths, from, posix.dirname);
  }

  /** Returns a type with its module, if one that the file sees declares it. */
  function typeOf(name: string, from: string): string | undefined {
    const parts = name.split(".");
    const own = modules.of(from);
    const scope = scopeOf(from);
    const named = modules.named(parts[0] as string, from);
    const isModule = parts.length > 1 && named !== undefined && scope.includes(named);
    if (isModule) parts.shift();
    for (const module of isModule ? [named as string] : [own, ...scope])
      if (table.find(`${idOf(module)}.${parts[0]}`).length > 0) return [idOf(module), ...parts].join(".");
    return undefined;
  }

  return (path, { imports, uses = [], parts = [] }) => {
    const own = modules.of(path);
    const scope = scopeOf(path);
    const isImported = new Set(imports.map(({ module }) => modules.named(module, path)));
    const levels = [
      namesIn(own),
      scope.filter((each) => isImported.has(each)).flatMap(namesIn),
      scope.filter((each) => !isImported.has(each)).flatMap(namesIn),
    ];
    const isSeen = (module: string) => module === own || scope.includes(module);
    const types = new Set(
      parts.flatMap(({ type }) => outerTypes(type)).flatMap((type) => typeOf(type, path) ?? []),
    );
    const inside = new Set(types);
    const found: string[] = [];
    for (const { type } of parts) found.push(...filesOf(type));
    for (const name of uses)
      if (!name.startsWith(".")) {
        found.push(...filesOf(name));
        const type = typeOf(name, path);
        if (type !== undefined) types.add(outermost(type)).add(type);
      }
    for (const name of uses) found.push(...membersNamed(name));

    /** Returns the files of `Basket`, of `Basket.Item` also the one that extends it by that, and of `Module.Basket`. */
    function filesOf(name: string): readonly string[] {
      const [first = "", second] = name.split(".");
      const declaring = visible(levels, first);
      // What the file declares itself, it means, whatever its neighbours declare.
      const files = declaring.includes(path) ? [path] : chosen(declaring, path);
      if (second === undefined) return files;
      const type = typeOf(first, path);
      const key = type ?? (files.length === 0 ? ofOthers(first, own) : "");
      const having = members.get(key)?.get(second) ?? [];
      if (having.length > 0)
        return [...files, ...(having.some((each) => files.includes(each)) ? [] : chosen(having, path))];
      const module = modules.named(first, path);
      if (files.length > 0 || module === undefined || !isSeen(module)) return files;
      return chosen(table.find(`${idOf(module)}.${second}`), path);
    }

    /** Returns the file of the extension that declares a member. */
    function membersNamed(use: string): readonly string[] {
      const name = use.replace(/^\./, "");
      const all = extending.get(name) ?? [];
      if (name.includes(".") || all.length === 0 || all.length > MAX_EXTENDING) return [];
      const possible = all.filter(
        ({ type, module }) =>
          isSeen(module) &&
          (type === undefined
            ? use !== name && !ordinary.has(name) && !COMMON_MEMBERS.has(name)
            : (use === name ? inside : types).has(type) && (inside.has(type) || !COMMON_MEMBERS.has(name))),
      );
      const known = possible.filter(({ type }) => type !== undefined);
      const files = new Set((known.length > 0 ? known : possible).map((each) => each.path));
      return files.size === 1 || known.some(({ type }) => inside.has(type as string))
        ? chosen([...files], path)
        : [];
    }

    return [
      ...imports.flatMap(({ module }): Target[] =>
        modules.named(module, path) === undefined
          ? [{ kind: "package", id: `swift:${module}`, name: module }]
          : [],
      ),
      ...found.map(fileTarget),
    ];
  };
}

/** The key of a type of another library, which each module extends for itself. */
function ofOthers(type: string, module: string): string {
  return `${module}\0${type}`;
}

/** Returns the outermost type around one, with its module. */
function outermost(type: string): string {
  return type.split(".").slice(0, 2).join(".");
}

function outerTypes(type: string): string[] {
  const parts = type.split(".");
  return parts.map((_, index) => parts.slice(0, index + 1).join("."));
}

type AllFacts = ReadonlyMap<string, Facts>;

/** Returns by module those that it hands on to whoever imports it (`@_exported import`). */
function exportsOf(facts: AllFacts, modules: Modules): Map<string, string[]> {
  const exported = new Map<string, string[]>();
  for (const [path, { imports }] of facts)
    for (const { module, isGlobal } of imports) {
      const found = isGlobal ? modules.named(module, path) : undefined;
      if (found !== undefined) addTo(exported, modules.of(path), found);
    }
  return exported;
}

/** Creates a function that returns the modules whose names a file sees beside those of its own. */
function scopes(facts: AllFacts, modules: Modules, exported: ReadonlyMap<string, string[]>) {
  const known = new Map<string, readonly string[]>();
  return (path: string): readonly string[] => {
    const before = known.get(path);
    if (before) return before;
    const imports = facts.get(path)?.imports ?? [];
    const seen = new Set([
      ...(exported.get(modules.of(path)) ?? []),
      ...imports.flatMap(({ module }) => modules.named(module, path) ?? []),
    ]);
    // A set goes on to what is added to it.
    for (const each of seen) for (const other of exported.get(each) ?? []) seen.add(other);
    known.set(path, [...seen]);
    return [...seen];
  };
}
