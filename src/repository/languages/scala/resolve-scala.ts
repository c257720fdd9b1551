import type { Facts, Target } from "../../facts.ts";
import { libraryOf } from "../classes/libraries.ts";
import { type Names, type NamespaceTable, visible, within } from "../classes/namespace-table.ts";
import { fileTarget } from "../language.ts";

interface Known {
  facts: ReadonlyMap<string, Facts>;
  table: NamespaceTable;
  /** Methods that are no extensions: a call of one with such a name may mean either. */
  methods: ReadonlySet<string>;
  chosen(paths: readonly string[], from: string): readonly string[];
}

/**
 * Resolves the names of Scala: what is imported by name comes first, then what is imported whole, then the file's own
 * package and those of the clauses around it. The first part of a path may be any of these, too.
 */
export function scalaResolver({ facts, table, methods, chosen }: Known) {
  const packages = packagesOf(facts);

  return (path: string, { imports, uses = [], package: own = "", around = [] }: Facts): Target[] => {
    const single = imports.filter(({ module }) => !module.endsWith(".*"));
    const named = new Map(
      single.map(({ module, names }) => [names?.[0] ?? module.slice(module.lastIndexOf(".") + 1), module]),
    );
    const clauses = [own, ...around];
    /** Packages that are imported whole. */
    const opened: string[] = [];
    const whole = imports.flatMap(({ module }) => (module.endsWith(".*") ? [module.slice(0, -2)] : []));
    const objects: string[] = [];
    for (const module of whole) {
      const meant = meanings(module).find((each) => packages.has(each));
      if (meant === undefined) objects.push(module);
      else opened.push(meant);
    }
    const namesOf = (namespace: string): Names[] =>
      [table.namesIn(namespace)].filter((names) => names !== undefined);
    const levels = [opened.flatMap(namesOf), ...clauses.map(namesOf)];

    /** Returns what a path may be, by what its first part may be. */
    function meanings(name: string): string[] {
      const [first = ""] = name.split(".", 1);
      const rest = name.slice(first.length);
      const imported = named.get(first);
      const isThere = (full: string) => packages.has(full) || table.find(full).length > 0;
      const outer = [...opened, ...clauses].flatMap((each) => {
        const full = within(each, first);
        return isThere(full) ? [full + rest] : [];
      });
      const own =
        imported === undefined || imported === name || imported.startsWith(`${first}.`)
          ? []
          : [imported + rest];
      return [...own, ...outer, name];
    }

    /** Returns the files of a path: `a.b.C`, `a.b.C.member`, `a.b.function`, which may be that of an extension. */
    function filesOf(name: string): readonly string[] {
      const possible = meanings(name);
      for (const full of possible) {
        const dot = full.lastIndexOf(".");
        const files = table.find(full);
        if (files.length > 0) return files;
        const extension = dot < 0 ? [] : table.find(`${full.slice(0, dot)}.${full.slice(dot)}`);
        if (extension.length > 0) return extension;
      }
      for (const full of possible) {
        const files = table.findPrefix(full);
        if (files.length > 0) return files;
      }
      return [];
    }

    function imported(module: string): Target[] {
      const found = chosen(filesOf(module), path);
      if (found.length > 0) return found.map(fileTarget);
      return meanings(module).some((each) => packages.has(each)) ? [] : [libraryOf(module)];
    }

    function used(name: string): readonly string[] {
      const dot = name.lastIndexOf(".");
      if (dot > 0) return chosen(filesOf(name), path);
      if (named.has(name.replace(".", ""))) return [];
      const found = visible(levels, name);
      if (dot === 0) return found.length === 1 && !methods.has(name) ? found : [];
      return chosen(found, path);
    }

    return [
      ...single.flatMap(({ module }) => imported(module)),
      ...objects.flatMap(imported),
      ...uses.flatMap(used).map(fileTarget),
    ];
  };
}

/** Returns all packages, also those that have only others in them. */
function packagesOf(facts: ReadonlyMap<string, Facts>): ReadonlySet<string> {
  const packages = new Set<string>();
  for (const { declares = [] } of facts.values())
    for (const name of declares)
      for (
        let at = name.slice(0, Math.max(0, name.lastIndexOf("."))).replace(/\.$/, "");
        at !== "" && !packages.has(at);
        at = at.slice(0, Math.max(0, at.lastIndexOf(".")))
      )
        packages.add(at);
  return packages;
}
