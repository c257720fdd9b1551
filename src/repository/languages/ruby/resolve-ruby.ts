import { posix } from "node:path";
import { firstIndex } from "../../../system/binary-search.ts";
import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";
import { globPattern } from "../../files/glob.ts";
import { nearest as nearestDirectory, outward } from "../../files/nearest.ts";
import { NamespaceTable, nearest, within } from "../classes/namespace-table.ts";
import { fileTarget, type Project } from "../language.ts";
import { CORE } from "./core.ts";
import { isNamedAfter } from "./named-after.ts";
import { IS_PATTERN } from "./required.ts";

/** Directories that Ruby's programs, and the runners of tests, look in for what is required. */
const LOAD_PATH = ["lib", "", "test", "spec", "app", "ext"];
/** More files than this that open a class say little of which one is meant. */
const MAX_OPENING = 8;
const MAX_ANCESTORS = 64;
/** The most files that a pattern of `require` leads to: many files may have it, and each leads to all of them. */
const MAX_MATCHING = 1000;
/** What is opened within others by what holds it: `Test:Shop.Cart`. */
const IS_WITHIN = /:[^:]*\./;
const isTest = (path: string) => /_(?:test|spec)\.rb$/.test(path);
/** A program, or a Rakefile: what it declares is for itself. */
const isScript = (path: string) => posix.extname(path) === "";
/** What a library has in a directory `test` is for those who test with it. */
const isTestCode = (path: string) => {
  const directory = /(?:^|\/)(lib|test|spec|features)\//.exec(path)?.[1];
  return directory !== undefined && (directory !== "lib" || isTest(path));
};

/**
 * Resolves what files require, and their constants as Ruby does: in the modules around a use, from the inside out. Of
 * several files that open a class, takes the one that is named after it, as autoloaders do, else all.
 */
export function rubyResolver({ paths, facts, text }: Project): (path: string, facts: Facts) => Target[] {
  const table = new NamespaceTable();
  /** All names that hold others, or that files declare. */
  const known = new Set<string>();
  /** Files by their path from a `lib` directory. */
  const libraries = new Map<string, string[]>();
  /** Controllers of Rails by their path from a `controllers` directory. */
  const controllers = new Map<string, string[]>();
  /** What classes and modules inherit from and include, as written, by full name; that of the top level is empty. */
  const inherited = new Map<string, { name: string; nesting: string[] }[]>();
  for (const { declares = [], scopes = [] } of facts.values()) {
    for (const name of [...declares, ...scopes.map(([nesting]) => nesting)])
      if (!IS_WITHIN.test(name) && !CORE.has(name)) addWithHolders(known, name.replaceAll(":", "."));
  }
  for (const [path, { declares = [], ancestors = [] }] of facts) {
    for (const declared of declares) {
      const name = namesIn(declared)[0] as string;
      if (CORE.has(name)) continue;
      table.add(name, path);
      addWithHolders(known, name);
    }
    for (const [at, names] of ancestors) {
      const nesting = namesIn(at);
      for (const written of names) {
        const isFull = written.startsWith(".");
        const parent = { name: written.slice(isFull ? 1 : 0), nesting: isFull ? [] : nesting };
        addTo(inherited, nesting[0] ?? "", parent);
      }
    }
    const library = /(?:^|\/)lib\/(.+)$/.exec(path)?.[1];
    if (library !== undefined) addTo(libraries, library, path);
    const controller = /(?:^|\/)controllers\/(.+)_controller\.rb$/.exec(path)?.[1];
    if (controller !== undefined) addTo(controllers, controller, path);
  }

  /** Returns the full names of the modules of a nesting, the innermost first. */
  function namesIn(nesting: string): string[] {
    const names: string[] = [];
    for (const written of nesting.split(":"))
      if (written !== "") names.unshift(opened(written, names[0] ?? ""));
    return names;
  }

  /** Returns the full name of what is opened within a module: of `Shop.Cart`, in the nearest that holds a `Shop`. */
  function opened(written: string, module: string): string {
    if (!written.includes(".")) return within(module, written);
    let around = module;
    while (around !== "" && !known.has(within(around, firstOf(written))))
      around = around.slice(0, Math.max(0, around.lastIndexOf(".")));
    return within(around, written);
  }

  const ancestors = new Map<string, readonly string[]>();
  const configured = specsIn(paths, text);
  const patterns = matchingIn(facts);

  /** Returns the full name that a constant has within these modules; undefined if no file declares it. */
  function fullName(written: string, nesting: readonly string[]): string | undefined {
    if (written.startsWith(".")) return nameIn([""], written.slice(1));
    const around = nesting[0] === undefined ? [] : ancestorsOf(nesting[0]);
    return nameIn([...nesting, ...around, "", ...ancestorsOf("")], written);
  }

  function nameIn(modules: readonly string[], written: string): string | undefined {
    const module = modules.find((each) => known.has(within(each, firstOf(written))));
    return module === undefined ? undefined : within(module, written);
  }

  /** Returns the full names of what a class or module inherits from and includes, the nearest first. */
  function ancestorsOf(name: string): readonly string[] {
    const found = ancestors.get(name);
    if (found) return found;
    const all = new Set<string>();
    const waiting = [...parentsOf(name)];
    for (let next = waiting.pop(); next !== undefined && all.size < MAX_ANCESTORS; next = waiting.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      waiting.push(...parentsOf(next));
    }
    ancestors.set(name, [...all]);
    return [...all];
  }

  /** Returns the full names of what a class or module itself names as such, the nearest last. */
  function parentsOf(name: string): readonly string[] {
    return (inherited.get(name) ?? [])
      .slice(0, MAX_ANCESTORS)
      .flatMap((each) => nameIn([...each.nesting, ""], each.name) ?? [])
      .reverse();
  }

  function filesOf(full: string, from: string): readonly string[] {
    const declaring = table.find(full);
    const holder = full.lastIndexOf(".");
    const all = declaring.length > 0 || holder < 0 ? declaring : table.find(full.slice(0, holder));
    const name = declaring.length > 0 || holder < 0 ? full : full.slice(0, holder);
    if (all.includes(from)) return [];
    const inTests = isTestCode(from);
    // What tests declare is for themselves, but for a class that others inherit from, which has the name of its file.
    const seen = all.filter((path) =>
      isTest(path) ? isNamedAfter(path, name) : !isScript(path) && (inTests || !isTestCode(path)),
    );
    if (seen.length < 2) return seen;
    const named = seen.filter((path) => isNamedAfter(path, name));
    if (named.length > 0) return [nearest(named, from) as string];
    const own = seen.filter((path) => !isTestCode(path));
    const most = own.length > 0 ? own : seen;
    return most.length > MAX_OPENING ? [nearest(most, from) as string] : most;
  }

  function required(module: string, from: string): Target[] {
    if (IS_PATTERN.test(module)) return matching(module, from);
    const directory = posix.dirname(from);
    if (module.startsWith("./")) return existing([posix.join(directory, module)]);
    const names = [module, `${module}.rb`];
    for (const at of outward(directory)) {
      const found = existing(LOAD_PATH.map((each) => posix.join(at, each, module)));
      if (found.length > 0) return found;
    }
    const library = nearest(
      names.flatMap((name) => libraries.get(name) ?? []),
      from,
    );
    if (library !== undefined) return [fileTarget(library)];
    const name = module.split("/", 1)[0] as string;
    return [{ kind: "package", id: `ruby:${name}`, name }];
  }

  /** Returns the files that a pattern means: from the file's own directory, or from the nearest around it that has any. */
  function matching(pattern: string, from: string): Target[] {
    const directory = posix.dirname(from);
    for (const at of pattern.startsWith("./") ? [directory] : outward(directory)) {
      const found = patterns(posix.join(at, pattern));
      if (found.length > 0) return found.map(fileTarget);
    }
    return [];
  }

  function existing(candidates: readonly string[]): Target[] {
    for (const path of candidates)
      for (const each of [`${path}.rb`, path]) if (paths.has(each)) return [fileTarget(each)];
    return [];
  }

  /** Returns the first of the controllers that a route may name. */
  function routed(names: readonly string[], from: string): Target[] {
    const files = names.map((name) => controllers.get(name)).find((each) => each !== undefined);
    return files === undefined ? [] : [fileTarget(nearest(files, from) as string)];
  }

  /** Returns what RSpec has every spec of its project require. */
  function requiredForSpecs(path: string): string[] {
    const directory = /(?:^|\/)(?:test|spec)\/.*_spec\.rb$/.test(path)
      ? nearestDirectory(configured, path)
      : undefined;
    return directory === undefined ? [] : (configured.get(directory) as string[]);
  }

  return (path, { imports, scopes = [] }) => {
    const found = new Set<string>();
    for (const [nesting, uses] of scopes) {
      const modules = namesIn(nesting);
      for (const use of uses) {
        const full = fullName(use, modules);
        if (full !== undefined) for (const file of filesOf(full, path)) found.add(file);
      }
    }
    return [
      ...imports.flatMap(({ module, names }) => (names ? routed(names, path) : required(module, path))),
      ...requiredForSpecs(path).flatMap((module) => required(module, path)),
      ...[...found].map(fileTarget),
    ];
  };
}

/** Returns what the `.rspec` files of directories require. */
function specsIn(paths: Project["paths"], text: Project["text"]): Map<string, string[]> {
  const files = [...paths].filter((path) => /(?:^|\/)\.rspec$/.test(path));
  return new Map(
    files.map((path) => {
      const options = (text(path) ?? "").matchAll(/(?:^|\s)(?:-r|--require)[ \t=]*([\w./-]+)/g);
      return [posix.dirname(path), [...options].map(([, module = ""]) => module)];
    }),
  );
}

/** Returns a function that finds the files that match a pattern. */
function matchingIn(facts: Project["facts"]): (pattern: string) => readonly string[] {
  let sorted: readonly string[] | undefined;
  const known = new Map<string, readonly string[]>();
  return (pattern) => {
    const before = known.get(pattern);
    if (before) return before;
    sorted ??= [...facts.keys()].sort();
    const start = pattern.slice(0, pattern.search(/[^/]*[*?[{]/));
    const form = globPattern(pattern);
    const found: string[] = [];
    for (let at = firstIndex(sorted, (path) => path >= start); sorted[at]?.startsWith(start); at++)
      if (form?.test(sorted[at] as string)) found.push(sorted[at] as string);
    known.set(pattern, found.slice(0, MAX_MATCHING));
    return found.slice(0, MAX_MATCHING);
  };
}

function addWithHolders(known: Set<string>, name: string): void {
  for (let end = name.length; end > 0 && !known.has(name.slice(0, end)); end = name.lastIndexOf(".", end - 1))
    known.add(name.slice(0, end));
}

function firstOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}
