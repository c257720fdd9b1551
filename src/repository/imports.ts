import type { Facts, Import } from "./facts.ts";
import { type ImportSearch, importSearches } from "./import-search.ts";
import { javascript } from "./languages/javascript/javascript.ts";
import type { Language, Project } from "./languages/language.ts";
import { LANGUAGES } from "./languages/languages.ts";

/** The languages in which an import names a file by a path or a module. */
const FOLLOWED: ReadonlySet<string> = new Set(["javascript", "python"]);

export interface OpenImports {
  /**
   * Tells where the imports of a file lead, by what is written there: `./shell` → `src/shell.ts`. Of a name that is a
   * module itself, `from app import shell`, it tells that of `app.shell` as well.
   */
  of(path: string): ReadonlyMap<string, string>;
  /** Returns searches for the files that may import some others. */
  searches(targets: readonly string[]): ImportSearch[];
  /** Whether a file imports one of those that were searched for. Reads no more of it than that takes. */
  isImporting(path: string, search: ImportSearch): boolean;
}

/**
 * Opens the imports of single files. Unlike `openRepository`, it reads no other file than asked for and those that say
 * how imports resolve.
 */
export function openImports({ paths, text }: Pick<Project, "paths" | "text">): OpenImports {
  const resolvers = new Map<Language["resolver"], ReturnType<Language["resolver"]>>();

  function resolverOf({ resolver }: Language) {
    const known = resolvers.get(resolver);
    if (known) return known;
    const made = resolver({ paths, facts: new Map(), text });
    resolvers.set(resolver, made);
    return made;
  }

  function fileOf(path: string, language: Language, imported: Import): string | undefined {
    const facts: Facts = { imports: [imported], definitions: [] };
    const [found] = resolverOf(language)(path, facts);
    const to = found?.kind === "file" && found.path !== path ? found.path : undefined;
    return to === undefined || !languageFor(to) ? undefined : to;
  }

  function of(path: string): ReadonlyMap<string, string> {
    const leads = new Map<string, string>();
    const language = languageFor(path);
    const content = language && text(path);
    if (!language || content === undefined) return leads;
    const imports = language.readImports?.(content, path) ?? language.read(content, path).imports;
    for (const { module, names = [] } of imports) {
      const whole = fileOf(path, language, { module });
      if (whole !== undefined) leads.set(module, whole);
      for (const name of names) {
        const part = fileOf(path, language, { module, names: [name] });
        const as = module.endsWith(".") ? module + name : `${module}.${name}`;
        if (part !== undefined && part !== whole) leads.set(as, part);
      }
    }
    return leads;
  }

  return {
    of,
    searches: (targets) =>
      importSearches(targets, {
        paths,
        text,
        meant: (specifier, from) => fileOf(from, javascript, { module: specifier }),
      }),
    isImporting(path, { targets, specifiers }) {
      if (!specifiers) return [...of(path).values()].some((to) => targets.has(to));
      const language = languageFor(path);
      const content = language && text(path);
      return Array.from(content?.matchAll(specifiers) ?? []).some(([, module = ""]) => {
        const to = language && fileOf(path, language, { module });
        return to !== undefined && targets.has(to);
      });
    },
  };
}

function languageFor(path: string): Language | undefined {
  return LANGUAGES.find(({ name, files }) => FOLLOWED.has(name) && files.test(path));
}
