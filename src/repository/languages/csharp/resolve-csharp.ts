import { addTo } from "../../add-to.ts";
import type { Facts, Import, Target, TypePart } from "../../facts.ts";
import {
  byPlace,
  type Names,
  NamespaceTable,
  nearestPlace,
  visible,
  within,
} from "../classes/namespace-table.ts";
import { fileTarget, type Project } from "../language.ts";
import { projectsOf } from "./projects.ts";

const isWhole = ({ module }: Import) => module.endsWith(".*");
const withoutMark = ({ module }: Import) => module.slice(0, -2);
/** Names of the base class library's methods. An extension of such a name is rarely what is called. */
const COMMON_MEMBERS =
  /^\.(?:Add|AddRange|All|Any|Append|Clear|Concat|Contains|Count|Distinct|Dispose|Equals|First|FirstOrDefault|ForEach|Format|Get|GetHashCode|GetType|GetValue|Insert|Invoke|Join|Last|Max|Min|Parse|Remove|Replace|Reverse|Select|Set|Single|Skip|Sort|Split|StartsWith|Sum|Take|ToArray|ToDictionary|ToList|ToLower|ToString|ToUpper|Trim|TryGetValue|Union|Where|Write|WriteLine)$/;

/**
 * Resolves the names of types in C#: those of the namespace that uses them, of the namespaces around it, and of the
 * namespaces that are imported. Of projects that declare the same name, takes the file's own, then one that its project
 * refers to, then the nearest; of a class in several files, all of them.
 */
export function csharpResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const projects = projectsOf(project);
  const table = new NamespaceTable();
  /** All namespaces, also those that have only others in them. */
  const namespaces = new Set<string>();
  const methods = new Set<string>();
  /** Imports that hold for all files of a project, by its directory. */
  const globals = new Map<string, Import[]>();
  /** By type and member, the files of the parts that declare it. */
  const members = new Map<string, Map<string, string[]>>();
  /** By file, what its parts of types declare. */
  const membersOf = new Map<string, ReadonlySet<string>>();
  for (const [path, { imports, declares = [], definitions, parts = [] }] of project.facts) {
    if (parts.length > 0) membersOf.set(path, new Set(parts.flatMap((part) => part.members)));
    for (const part of parts) {
      const files = members.get(part.type) ?? new Map<string, string[]>();
      members.set(part.type, files);
      for (const member of part.members) addTo(files, member, path);
    }
    const extensions = new Set<string>();
    for (const name of declares) {
      table.add(name, path);
      const dot = name.lastIndexOf(".");
      if (name[dot - 1] === "." || dot === 0) extensions.add(name.slice(dot));
      const namespace = name.slice(0, Math.max(0, dot)).replace(/\.$/, "");
      if (!namespaces.has(namespace)) for (const each of outward(namespace)) namespaces.add(each);
    }
    for (const { name, kind } of definitions) {
      const member = kind === "method" ? name.slice(name.lastIndexOf(".")) : "";
      if (member !== "" && !extensions.has(member)) methods.add(member);
    }
    const own = projects.of(path) ?? "";
    for (const each of imports) if (each.isGlobal) addTo(globals, own, each);
  }

  function chosen(paths: readonly string[], from: string): readonly string[] {
    if (paths.length < 2) return paths;
    const placeOf = (path: string) => projects.of(path) ?? "";
    const places = byPlace(paths, placeOf);
    const own = projects.of(from);
    for (const directory of own === undefined ? [] : projects.seenFrom(own)) {
      const inside = places.get(directory);
      if (inside) return nearestPlace(inside, from, placeOf);
    }
    return nearestPlace(paths, from, placeOf);
  }

  /** Returns the types that a name with dots means, where its beginning is a namespace: `Cart.Basket.Empty`. */
  function qualified(name: string, around: readonly string[]): readonly string[] {
    const parts = name.split(".");
    for (const namespace of around) {
      if (!namespaces.has(within(namespace, parts[0] as string))) continue;
      for (let count = parts.length; count > 1; count--) {
        const found = table.find(within(namespace, parts.slice(0, count).join(".")));
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  /** Of the files of a class in parts, returns those that declare a member, or all. */
  function withMember(files: readonly string[], member: string): readonly string[] {
    const having = files.filter((file) => membersOf.get(file)?.has(member));
    return having.length > 0 ? having : files;
  }

  /** Returns the files of the other parts of a class that declare what a part names. */
  function otherParts({ type, names = [] }: TypePart, from: string): readonly string[] {
    const declared = members.get(type);
    const own = projects.of(from);
    const found = declared ? names.flatMap((name) => declared.get(name) ?? []) : [];
    return [...new Set(found)].filter((path) => projects.of(path) === own);
  }

  return (path, { imports, scopes = [], parts = [] }) => {
    const own = projects.of(path) ?? "";
    const all = [...imports, ...(globals.get(own) ?? [])];
    const around = scopes.flatMap(([namespace]) => [...outward(namespace)]);
    // Within a namespace, a `using` may begin at the namespace: `using Mappers;` in `Shop` is `Shop.Mappers`.
    const meant = (name: string) =>
      namespaces.has(name)
        ? name
        : (around.map((each) => within(each, name)).find((each) => namespaces.has(each)) ?? name);
    const whole = [...all.filter(isWhole).map((each) => meant(withoutMark(each))), ...projects.usings(own)];
    const imported = whole.flatMap((each) => table.namesIn(each) ?? []);
    const aliases = new Map(
      all.flatMap(({ module, names }) => (names?.[0] === undefined ? [] : [[names[0], module] as const])),
    );

    function usedIn(namespace: string): (name: string) => readonly string[] {
      const around = [...outward(namespace)];
      const levels: Names[][] = [
        ...around.map((each) => [table.namesIn(each)].filter((names) => !!names)),
        imported,
      ];
      return (name) => {
        if (name.startsWith(".")) {
          const found = methods.has(name) || COMMON_MEMBERS.test(name) ? [] : visible(levels, name);
          return found.length === 1 ? found : [];
        }
        const first = name.replace(/\..*/, "");
        const alias = aliases.get(first);
        if (alias !== undefined) return table.findPrefix(alias + name.slice(first.length));
        const found = visible(levels, first);
        if (found.length === 0) return first === name ? found : qualified(name, around);
        return found.length === 1 || first === name ? found : withMember(found, name.split(".")[1] as string);
      };
    }

    return [
      ...imports.flatMap((each) => importTargets(each, path, meant)),
      ...scopes.flatMap(([namespace, names]) => {
        const used = usedIn(namespace);
        return names.flatMap((name) => chosen(used(name), path)).map(fileTarget);
      }),
      ...parts.flatMap((part) => otherParts(part, path)).map(fileTarget),
    ];
  };

  function importTargets(each: Import, from: string, meant: (name: string) => string): Target[] {
    if (!isWhole(each)) {
      const found = chosen(table.findPrefix(each.module), from);
      if (found.length > 0) return found.map(fileTarget);
    }
    const module = isWhole(each) ? withoutMark(each) : each.module;
    if (namespaces.has(meant(module))) return [];
    const name = module.split(".").slice(0, 2).join(".");
    return [{ kind: "package", id: `dotnet:${name}`, name }];
  }
}

/** Yields a namespace and those around it, up to the global one. */
function* outward(namespace: string): Generator<string> {
  for (let name = namespace; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("."))))
    yield name;
  yield "";
}
