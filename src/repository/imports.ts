import type { Facts, Import } from "./facts.ts";
import type { Language, Project } from "./languages/language.ts";
import { LANGUAGES } from "./languages/languages.ts";

/** The languages in which an import names a file by a path or a module. */
const FOLLOWED: ReadonlySet<string> = new Set(["javascript", "python"]);

/**
 * Returns a function that tells where the imports of a file lead, by what is written there: `./shell` →
 * `src/shell.ts`. Of a name that is a module itself, `from app import shell`, it tells that of `app.shell` as well.
 * Unlike `openRepository`, it reads no other file than asked for and those that say how imports resolve.
 */
export function openImports({ paths, text }: Pick<Project, "paths" | "text">) {
  const resolvers = new Map<Language["resolver"], ReturnType<Language["resolver"]>>();

  function resolverOf({ resolver }: Language) {
    const known = resolvers.get(resolver);
    if (known) return known;
    const made = resolver({ paths, facts: new Map(), text });
    resolvers.set(resolver, made);
    return made;
  }

  return (path: string): ReadonlyMap<string, string> => {
    const leads = new Map<string, string>();
    const language = languageFor(path);
    const content = language && text(path);
    if (!language || content === undefined) return leads;
    const resolve = resolverOf(language);
    const fileOf = (imported: Import) => {
      const facts: Facts = { imports: [imported], definitions: [] };
      const [found] = resolve(path, facts);
      const to = found?.kind === "file" && found.path !== path ? found.path : undefined;
      return to === undefined || !languageFor(to) ? undefined : to;
    };
    const imports = language.readImports?.(content, path) ?? language.read(content, path).imports;
    for (const { module, names = [] } of imports) {
      const whole = fileOf({ module });
      if (whole !== undefined) leads.set(module, whole);
      for (const name of names) {
        const part = fileOf({ module, names: [name] });
        const as = module.endsWith(".") ? module + name : `${module}.${name}`;
        if (part !== undefined && part !== whole) leads.set(as, part);
      }
    }
    return leads;
  };
}

function languageFor(path: string): Language | undefined {
  return LANGUAGES.find(({ name, files }) => FOLLOWED.has(name) && files.test(path));
}
