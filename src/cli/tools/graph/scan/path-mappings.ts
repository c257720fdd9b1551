import { posix } from "node:path";
import { parseJsonWithComments } from "./json-with-comments.ts";

/** Where a specifier may lead by `paths` and `baseUrl` of the nearest tsconfig.json; paths from the top. */
export type PathMappings = (file: string, specifier: string) => string[];

interface Mapping {
  /** Before and behind the asterisk; the whole where there is none. */
  prefix: string;
  suffix: string | undefined;
  targets: string[];
}

interface Config {
  mappings: Mapping[];
  /** Where specifiers are looked up that no mapping fits. */
  base: string | undefined;
}

const NAMES = ["tsconfig.json", "jsconfig.json"];
const MAX_EXTENDED = 10;

export async function readPathMappings(
  files: ReadonlySet<string>,
  read: (file: string) => Promise<string | undefined>,
): Promise<PathMappings> {
  const byDirectory = new Map<string, Config>();
  for (const file of files) {
    if (!NAMES.includes(posix.basename(file))) continue;
    byDirectory.set(posix.dirname(file), await load(file, 0));
  }

  /** What a configuration lacks comes from the one that it extends, as far as that lies in the repository. */
  async function load(file: string, extended: number): Promise<Config> {
    const directory = posix.dirname(file);
    const parsed = membersOf(parseJsonWithComments((await read(file)) ?? ""));
    const { baseUrl, paths } = membersOf(parsed.compilerOptions);
    const parent = [parsed.extends]
      .flat()
      .findLast((name) => typeof name === "string" && name.startsWith("."));
    const parentFile = typeof parent === "string" ? withExtension(posix.join(directory, parent)) : undefined;
    const inherited =
      parentFile !== undefined && extended < MAX_EXTENDED
        ? await load(parentFile, extended + 1)
        : { mappings: [], base: undefined };
    const base = typeof baseUrl === "string" ? posix.join(directory, baseUrl) : inherited.base;
    if (paths === undefined) return { mappings: inherited.mappings, base };
    const from = typeof baseUrl === "string" ? posix.join(directory, baseUrl) : directory;
    return { mappings: Object.entries(membersOf(paths)).map((entry) => mappingOf(entry, from)), base };
  }

  function configOf(file: string): Config | undefined {
    for (let at = posix.dirname(file); ; at = posix.dirname(at)) {
      const config = byDirectory.get(at);
      if (config || at === ".") return config;
    }
  }

  return (file, specifier) => {
    const config = configOf(file);
    if (!config) return [];
    const mapped = config.mappings
      .filter((mapping) => fits(mapping, specifier))
      .sort((left, right) => right.prefix.length - left.prefix.length)
      .flatMap(({ prefix, suffix = "", targets }) => {
        const rest = specifier.slice(prefix.length, specifier.length - suffix.length);
        return targets.map((target) => target.replace("*", () => rest));
      });
    return config.base === undefined ? mapped : [...mapped, posix.join(config.base, specifier)];
  };
}

function mappingOf([pattern, targets]: [string, unknown], from: string): Mapping {
  const [prefix = "", suffix] = pattern.split("*", 2);
  const paths = [targets].flat().filter((target) => typeof target === "string");
  return { prefix, suffix, targets: paths.map((target) => posix.join(from, target)) };
}

function fits({ prefix, suffix }: Mapping, specifier: string): boolean {
  if (suffix === undefined) return specifier === prefix;
  return (
    specifier.length >= prefix.length + suffix.length &&
    specifier.startsWith(prefix) &&
    specifier.endsWith(suffix)
  );
}

function withExtension(file: string): string {
  return file.endsWith(".json") ? file : `${file}.json`;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
