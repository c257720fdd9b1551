import type { Rule } from "../finding.ts";
import { extensionOf, type Language, languageOf } from "./language.ts";

/** A language that is read only by rules for code of any language, such as those of secrets. */
export interface LittleRead {
  language: string;
  /** The number of its files in the review. */
  files: number;
}

/** Programs that `languageOf` calls `other` or `text`, by extension. Settings, styles and schemas are none. */
const NAMES = new Map<string, string>();
const note = (name: string, extensions: string) => {
  for (const extension of extensions.split(" ")) NAMES.set(extension, name);
};
note("Clojure", "clj cljs cljc");
note("CoffeeScript", "coffee");
note("Crystal", "cr");
note("D", "d");
note("Dart", "dart");
note("Elixir", "ex exs eex leex heex");
note("Elm", "elm");
note("Erlang", "erl hrl");
note("F#", "fs fsi fsx");
note("Haskell", "hs lhs");
note("Julia", "jl");
note("Jupyter notebooks", "ipynb");
note("Lua", "lua");
note("Nim", "nim");
note("OCaml", "ml mli");
note("Perl", "pl pm");
note("R", "r");
note("Solidity", "sol");
note("Swift", "swift");
note("Tcl", "tcl");
note("Zig", "zig");

/** Counts the files in languages that some of the rules do not know, by language, most files first. */
export function littleReadIn(paths: readonly string[], rules: readonly Rule[]): LittleRead[] {
  const files = new Map<string, number>();
  for (const path of paths) {
    const name = NAMES.get(extensionOf(path));
    if (name === undefined) continue;
    const language = languageOf(path);
    if (rules.every((rule) => knows(rule, language))) continue;
    files.set(name, (files.get(name) ?? 0) + 1);
  }
  return [...files]
    .map(([language, files]) => ({ language, files }))
    .sort((left, right) => right.files - left.files || (left.language < right.language ? -1 : 1));
}

function knows({ languages, partly }: Rule, language: Language): boolean {
  return languages === "any" || (languages.includes(language) && !partly?.includes(language));
}
