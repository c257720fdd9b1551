import { posix } from "node:path";
import { argumentWord } from "../../system/processes/shell-word.ts";
import { membersOf, membersOfToml } from "../languages/members.ts";
import { reach } from "../reach.ts";
import type { Repository } from "../repository.ts";
import { above, type Runner } from "./runner.ts";

type Known = Pick<Repository, "files" | "edges" | "text">;

/** One or more Cargo targets with tests, selected by one option. */
interface Target {
  /** The option that restricts `cargo test` to it. */
  option: string;
  roots: readonly string[];
  /** Features without which Cargo refuses to run it. */
  features?: readonly string[];
}

/** Returns the lookup of runners for Rust tests. Each manifest is read once for all tests of its package. */
export function cargoRunners(repository: Known): (test: string) => Runner | undefined {
  const byDirectory = new Map<string, (path: string) => Target[]>();
  return (test) => {
    const directory = above(repository, test, ["Cargo.toml"]);
    if (directory === undefined) return undefined;
    const targetsWith = byDirectory.get(directory) ?? targetsAt(repository, directory);
    byDirectory.set(directory, targetsWith);
    // A file that belongs to no target is not run, whatever its name.
    if (targetsWith(test).length === 0) return undefined;
    return {
      directory,
      command(paths) {
        const targets = new Set(paths.flatMap((path) => targetsWith(posix.join(directory, path))));
        const features = [...new Set([...targets].flatMap(({ features = [] }) => features))];
        const options = [...targets].map(({ option }) => option);
        const needed = features.length > 0 ? [`--features ${argumentWord(features.join(","))}`] : [];
        return ["cargo test", ...options, ...needed].join(" ");
      },
    };
  };
}

/**
 * Returns the lookup of targets by file. A root belongs to its own targets. Any other file belongs to those of the
 * first kind that contains it, in Cargo's order.
 */
function targetsAt(repository: Known, directory: string): (path: string) => Target[] {
  const kinds = kindsOf(repository, directory);
  const parts = new Map<Target, ReadonlySet<string>>();
  const partsOf = (target: Target) => {
    const found =
      parts.get(target) ??
      new Set(reach(repository.edges, target.roots, { direction: "out" }).map(({ path }) => path));
    parts.set(target, found);
    return found;
  };
  return (path) => {
    const own = kinds.flat().filter(({ roots }) => roots.includes(path));
    if (own.length > 0) return own;
    for (const targets of kinds) {
      const having = targets.filter((target) => partsOf(target).has(path));
      if (having.length > 0) return having;
    }
    return [];
  };
}

/** Returns the library, programs, tests, examples and benches of a package, in this order. */
function kindsOf({ files, text }: Known, directory: string): Target[][] {
  const manifest = membersOfToml(text(posix.join(directory, "Cargo.toml")));
  const at = (path: string) => posix.join(directory, path);
  const pathsOf = (kind: string) =>
    tablesOf(manifest[kind]).flatMap(({ path }) => (typeof path === "string" ? [at(path)] : []));
  const within = (form: RegExp) =>
    [...files.keys()].filter((path) => form.test(posix.relative(directory, path)));
  const { path: library } = membersOf(manifest.lib);
  return [
    [{ option: "--lib", roots: [at(typeof library === "string" ? library : "src/lib.rs")] }],
    [
      {
        option: "--bins",
        roots: [...pathsOf("bin"), ...within(/^src\/(?:main|bin\/[^/]+|bin\/[^/]+\/main)\.rs$/)],
      },
    ],
    testTargets(manifest, {
      at,
      found: within(/^tests\/(?:[^/]+|[^/]+\/main)\.rs$/),
      has: (path) => files.has(path),
    }),
    [
      {
        option: "--examples",
        roots: [...pathsOf("example"), ...within(/^examples\/(?:[^/]+|[^/]+\/main)\.rs$/)],
      },
    ],
    [
      {
        option: "--benches",
        roots: [...pathsOf("bench"), ...within(/^benches\/(?:[^/]+|[^/]+\/main)\.rs$/)],
      },
    ],
  ];
}

interface Places {
  /** Converts a path in the package to one from the top of the repository. */
  at(path: string): string;
  /** Test roots that Cargo discovers by itself. */
  found: readonly string[];
  has(path: string): boolean;
}

/** Returns the targets that the manifest names, and those that Cargo discovers unless `autotests` is off. */
function testTargets(manifest: Record<string, unknown>, { at, found, has }: Places): Target[] {
  const named = tablesOf(manifest.test).flatMap(({ name, path, "required-features": features }) => {
    if (typeof name !== "string") return [];
    const places = [`tests/${name}.rs`, `tests/${name}/main.rs`].map(at);
    const root = typeof path === "string" ? at(path) : (places.find(has) ?? (places[0] as string));
    return [testTarget(name, root, Array.isArray(features) ? features.map(String) : [])];
  });
  const { autotests, edition = "2015" } = membersOf(manifest.package);
  const isFound = typeof autotests === "boolean" ? autotests : edition !== "2015" || named.length === 0;
  const known = new Set(named.flatMap(({ roots }) => roots));
  const others = isFound ? found.filter((path) => !known.has(path)) : [];
  return [...named, ...others.map((path) => testTarget(nameOf(path), path, []))];
}

function testTarget(name: string, root: string, features: readonly string[]): Target {
  return { option: `--test ${argumentWord(name)}`, roots: [root], features };
}

/** Returns the name of a test target: `cart` for `tests/cart.rs` and `tests/cart/main.rs`. */
function nameOf(path: string): string {
  const name = posix.basename(path, ".rs");
  return name === "main" && posix.basename(posix.dirname(path)) !== "tests"
    ? posix.basename(posix.dirname(path))
    : name;
}

function tablesOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}
