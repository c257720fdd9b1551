import { posix } from "node:path";
import { nearest } from "../../files/nearest.ts";
import type { Project } from "../language.ts";
import { membersOf } from "../members.ts";
import { membersOfJson } from "./json-with-comments.ts";

/** Returns candidate paths (from the top) for a specifier by `paths` and `baseUrl` of the nearest tsconfig.json. */
export type PathMappings = (file: string, specifier: string) => string[];

interface Mapping {
  /** The parts before and after the asterisk. Without one, `prefix` is the whole pattern and `suffix` is undefined. */
  prefix: string;
  suffix: string | undefined;
  targets: string[];
}

interface Config {
  mappings: Mapping[];
  /** The directory in which specifiers are looked up after the mappings. */
  base: string | undefined;
}

const NAMES = ["tsconfig.json", "jsconfig.json"];

/** @param packageFile resolves a specifier within the packages of the repository. */
export function pathMappings(
  { paths, text }: Pick<Project, "paths" | "text">,
  packageFile: (specifier: string) => string | undefined,
): PathMappings {
  const byDirectory = new Map<string, Config>();
  const loaded = new Map<string, Config>();
  for (const file of paths) {
    if (NAMES.includes(posix.basename(file))) byDirectory.set(posix.dirname(file), load(file));
  }

  /** Loads each configuration once. A cycle of `extends` inherits nothing. */
  function load(file: string): Config {
    const known = loaded.get(file);
    if (known) return known;
    loaded.set(file, { mappings: [], base: undefined });
    const config = read(file);
    loaded.set(file, config);
    return config;
  }

  /**
   * Settings that a configuration lacks come from the one that it extends, if that is in the repository. A
   * configuration that only references others takes theirs.
   */
  function read(file: string): Config {
    const directory = posix.dirname(file);
    const parsed = membersOfJson(text(file));
    const { baseUrl, paths: own } = membersOf(parsed.compilerOptions);
    const others = (names: unknown[]) =>
      names.flatMap((name) => (typeof name === "string" ? (configFile(directory, name) ?? []) : []));
    const parents = others([parsed.extends].flat());
    const referred = [parsed.references].flat().map((reference) => membersOf(reference).path);
    const from = parents.length > 0 ? parents.slice(-1) : own === undefined ? others(referred) : [];
    const inherited = from.map(load);
    const base =
      typeof baseUrl === "string"
        ? posix.join(directory, baseUrl)
        : inherited.find((config) => config.base !== undefined)?.base;
    if (own === undefined) return { mappings: inherited.flatMap(({ mappings }) => mappings), base };
    const root = typeof baseUrl === "string" ? posix.join(directory, baseUrl) : (base ?? directory);
    return { mappings: Object.entries(membersOf(own)).map((entry) => mappingOf(entry, root)), base };
  }

  function configFile(directory: string, name: string): string | undefined {
    const path = posix.join(directory, name);
    const isPath = /^\.{1,2}(?:\/|$)/.test(name) || paths.has(path);
    const found = [path, `${path}.json`, posix.join(path, "tsconfig.json")].find((each) => paths.has(each));
    return isPath || found ? found : packageFile(name);
  }

  return (file, specifier) => {
    const config = byDirectory.get(nearest(byDirectory, file) ?? "");
    if (!config) return [];
    const mapped = config.mappings
      .filter((mapping) => fits(mapping, specifier))
      .sort((left, right) => right.prefix.length - left.prefix.length)
      .flatMap(({ prefix, suffix = "", targets }) => {
        const rest = specifier.slice(prefix.length, specifier.length - suffix.length);
        return targets.map((target) => posix.normalize(target.replace("*", () => rest)));
      });
    return config.base === undefined ? mapped : [...mapped, posix.join(config.base, specifier)];
  };
}

function mappingOf([pattern, targets]: [string, unknown], from: string): Mapping {
  const [prefix = "", suffix] = pattern.split("*", 2);
  const paths = [targets].flat().filter((target) => typeof target === "string");
  return {
    prefix,
    suffix,
    targets: paths.map((target) => posix.join(from, target.replace(/^\$\{configDir\}\/?/, ""))),
  };
}

function fits({ prefix, suffix }: Mapping, specifier: string): boolean {
  if (suffix === undefined) return specifier === prefix;
  return (
    specifier.length >= prefix.length + suffix.length &&
    specifier.startsWith(prefix) &&
    specifier.endsWith(suffix)
  );
}
