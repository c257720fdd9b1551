import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Facts, Import, Target } from "../../facts.ts";
import { fileTarget, type Project } from "../language.ts";

const isTest = (path: string) => path.endsWith("_test.go");
/**
 * A method that more files of a package define says little of which one is called. Edges from each caller to each of
 * these files would multiply.
 */
const MAX_DEFINERS = 64;

/**
 * Resolves an import to the files of the package that define what is taken from it, or to all its files where none of
 * them does. Files of one package lead to the files that define what they use.
 */
export function goResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const modules = modulesOf(project);
  const byDirectory = new Map<string, string[]>();
  /** By directory, the files that define a name. */
  const definers = new Map<string, Map<string, string[]>>();
  /** By directory, the files of a method (`.Close`) apart from its type: what uses a type reaches its file anyway. */
  const apart = new Map<string, Map<string, string[]>>();
  // Paths instead of facts, so that a package is found even if its files are too large to be read.
  for (const path of project.paths) {
    if (path.endsWith(".go")) addTo(byDirectory, posix.dirname(path), path);
  }
  /** By directory, the directories of the packages that files in it import, and those that only its tests import. */
  const known = new Map<string, Set<string>>();
  const knownToTests = new Map<string, Set<string>>();
  for (const [path, { imports, definitions }] of project.facts) {
    const directory = posix.dirname(path);
    const all = isTest(path) ? knownToTests : known;
    const packages = all.get(directory) ?? new Set();
    all.set(directory, packages);
    for (const { module } of imports) {
      const target = modules(module);
      if (target !== undefined) packages.add(target);
    }
    const names = definers.get(directory) ?? new Map<string, string[]>();
    definers.set(directory, names);
    const methods = apart.get(directory) ?? new Map<string, string[]>();
    apart.set(directory, methods);
    const own = new Set(definitions.map(({ name }) => name));
    for (const name of own) {
      const dot = name.indexOf(".");
      if (dot < 0) addTo(names, name, path);
      else if (!own.has(name.slice(0, dot))) addTo(methods, name.slice(dot), path);
    }
  }

  function definersIn(directory: string, names: Iterable<string>): string[] {
    const found = definers.get(directory);
    return found ? [...names].flatMap((name) => found.get(name) ?? []) : [];
  }

  function methodsIn(directory: string, members: ReadonlySet<string>): ReadonlySet<string> {
    const found = new Set<string>();
    const methods = apart.get(directory);
    if (!methods) return found;
    // Many files that call much import many packages with many methods: the shorter list is gone through.
    for (const name of methods.size < members.size ? methods.keys() : members) {
      const files = members.has(name) ? (methods.get(name) ?? []) : [];
      if (files.length <= MAX_DEFINERS) for (const file of files) found.add(file);
    }
    return found;
  }

  // A test of another package in the same directory also sees what test files export for it (export_test.go).
  const isSeen = (file: string, from: string) => !isTest(file) || posix.dirname(file) === from;

  function imported({ module, names = [] }: Import, from: string): Target[] {
    const directory = modules(module);
    if (directory === undefined) return [packageTarget(module)];
    const files = (byDirectory.get(directory) ?? []).filter((file) => !isTest(file));
    if (files.length === 0) return [{ kind: "missing", module }];
    const found = definersIn(directory, names).filter((file) => isSeen(file, from));
    return (found.length > 0 ? [...new Set(found)] : files).map(fileTarget);
  }

  /**
   * Returns the files of methods of other packages that a file calls. It need not import them itself, as a function of
   * its package may have returned the value.
   */
  function methodsOf(path: string, { imports, uses = [] }: Facts): Target[] {
    const from = posix.dirname(path);
    // What a package does not define, a variable of the package's name has.
    const taken = imports.flatMap(({ module, names = [] }) => {
      const defined = definers.get(modules(module) ?? "");
      return defined ? names.filter((name) => !defined.has(name)).map((name) => `.${name}`) : [];
    });
    const members = new Set([...uses, ...taken]);
    const distinct = new Set([...members].filter((name) => /[a-z\d][A-Z]/.test(name)));
    const direct = new Set(imports.map(({ module }) => modules(module)));
    const packages = [...(known.get(from) ?? []), ...((isTest(path) && knownToTests.get(from)) || [])];
    const files = packages.flatMap((directory) => [
      ...methodsIn(directory, direct.has(directory) ? members : distinct),
    ]);
    return files.filter((file) => isSeen(file, from)).map(fileTarget);
  }

  return (path, facts) => {
    const directory = posix.dirname(path);
    const uses = new Set(facts.uses);
    const neighbours = [...definersIn(directory, uses), ...methodsIn(directory, uses)].filter(
      (file) =>
        file !== path &&
        project.facts.get(file)?.package === facts.package &&
        (isTest(path) || !isTest(file)),
    );
    return [
      ...facts.imports.flatMap((each) => imported(each, directory)),
      ...methodsOf(path, facts),
      ...[...new Set(neighbours)].map(fileTarget),
    ];
  };
}

/** Returns the package of an import path. Paths of the standard library have no dot in their first part. */
function packageTarget(module: string): Target {
  const parts = module.split("/");
  if (!parts[0]?.includes(".")) return { kind: "package", id: `go:${module}`, name: module };
  const name = parts.slice(0, /^(?:github|gitlab|bitbucket)\./.test(parts[0]) ? 3 : 2).join("/");
  return { kind: "package", id: `go:${name}`, name };
}

/** Maps an import path to a directory by the longest module path that it begins with. */
function modulesOf({ paths, text }: Project): (module: string) => string | undefined {
  const roots: { path: string; directory: string }[] = [];
  for (const file of paths) {
    if (posix.basename(file) !== "go.mod") continue;
    const directory = posix.dirname(file);
    const content = text(file) ?? "";
    const path = /^module\s+"?([^\s"]+)/m.exec(content)?.[1];
    if (path !== undefined) roots.push({ path, directory });
    for (const [, from = "", to = ""] of content.matchAll(
      /^[ \t]*(?:replace[ \t]+)?(\S+)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+(\.\S*)/gm,
    )) {
      roots.push({ path: from, directory: posix.join(directory, to) });
    }
  }
  roots.sort((left, right) => right.path.length - left.path.length);
  return (module) => {
    const root = roots.find(({ path }) => module === path || module.startsWith(`${path}/`));
    return root && posix.join(root.directory, module.slice(root.path.length + 1));
  };
}
