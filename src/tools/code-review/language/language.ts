/** Languages that rules know. `other` is code in any other language, `text` is not code. */
export const LANGUAGES = [
  "javascript",
  "python",
  "go",
  "java",
  "ruby",
  "php",
  "c",
  "cpp",
  "csharp",
  "rust",
  "shell",
  "yaml",
  "dockerfile",
  "markup",
  "other",
  "text",
] as const;
export type Language = (typeof LANGUAGES)[number];

/** Programming languages, without shell scripts, configuration, markup and `other`. */
export const PROGRAMS: readonly Language[] = LANGUAGES.slice(0, LANGUAGES.indexOf("shell"));

const BY_EXTENSION = new Map<string, Language>();
const note = (language: Language, extensions: string) => {
  for (const extension of extensions.split(" ")) BY_EXTENSION.set(extension, language);
};
note("javascript", "js jsx mjs cjs ts tsx mts cts");
note("python", "py pyi pyw pyx");
note("go", "go");
note("java", "java kt kts scala groovy gradle");
note("ruby", "rb rake gemspec ru erb");
note("php", "php phtml php5 inc");
note("c", "c h m");
note("cpp", "cc cpp cxx hh hpp hxx mm ino cu");
note("csharp", "cs cshtml csx razor vb");
note("rust", "rs");
note("shell", "sh bash zsh ksh fish ps1 psm1 bats");
note("yaml", "yml yaml");
note(
  "markup",
  "html htm xhtml vue svelte astro xml xaml plist config csproj props resx hbs mustache handlebars ejs pug jade twig njk j2 jinja jinja2 djhtml liquid haml slim jsp jspx jspf ftl jst",
);
note(
  "other",
  "swift dart lua pl pm r jl ex exs erl hs clj fs sol proto tf hcl sql graphql css scss less json5 jsonc",
);
note(
  "text",
  "txt md mdx markdown rst adoc org tex csv tsv log lock sum mod ini cfg conf cnf env properties npmrc toml json jsonl ndjson map svg pem key crt cer pub asc p12 pfx patch diff snap http ipynb srt po pot",
);

const BY_NAME: [RegExp, Language][] = [
  [/^(?:docker|container)file/i, "dockerfile"],
  [/\.dockerfile$/i, "dockerfile"],
  [/^(?:gemfile|rakefile|vagrantfile|podfile|fastfile)$/i, "ruby"],
  [/^(?:makefile|justfile|\.bashrc|\.zshrc|\.profile|\.bash_profile|\.envrc)$/i, "shell"],
];

/** Returns a file's language by its name. TypeScript counts as JavaScript; Kotlin, Scala and Groovy count as Java. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (const [pattern, language] of BY_NAME) if (pattern.test(name)) return language;
  return (
    BY_EXTENSION.get(extensionOf(path)) ?? (name.includes(".") && !name.startsWith(".") ? "other" : "text")
  );
}

/** Interpreters that the first line of a program names, and their languages. */
const INTERPRETERS: [RegExp, Language][] = [
  [/\b(?:ba|da|z|k|a|fi)?sh\b|\bpwsh\b/, "shell"],
  [/\bpython[\d.]{0,5}\b/, "python"],
  [/\b(?:node|deno|bun|tsx)\b/, "javascript"],
  [/\bruby\b/, "ruby"],
  [/\bphp\d{0,2}\b/, "php"],
];

/** Returns the language of a file by its name or, where that says nothing, by its first line: `#!/usr/bin/env bash`. */
export function languageOfFile(path: string, firstLine: string | undefined): Language {
  const language = languageOf(path);
  if ((language !== "text" && language !== "other") || !firstLine?.startsWith("#!")) return language;
  const named = firstLine.slice(0, 200);
  return INTERPRETERS.find(([pattern]) => pattern.test(named))?.[1] ?? language;
}

export function extensionOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("."), path.lastIndexOf("/")) + 1).toLowerCase();
}
