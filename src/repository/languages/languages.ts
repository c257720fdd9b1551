import { posix } from "node:path";
import { c } from "./c/c.ts";
import { csharp } from "./csharp/csharp.ts";
import { dart } from "./dart/dart.ts";
import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import { javascript } from "./javascript/javascript.ts";
import { kotlin } from "./kotlin/kotlin.ts";
import type { Language } from "./language.ts";
import { php } from "./php/php.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";
import { rust } from "./rust/rust.ts";
import { scala } from "./scala/scala.ts";
import { swift } from "./swift/swift.ts";

export const LANGUAGES: readonly Language[] = [
  javascript,
  python,
  go,
  rust,
  java,
  kotlin,
  csharp,
  php,
  ruby,
  c,
  swift,
  scala,
  dart,
];

/** Returns the language of a file by its name. */
export function languageOf(path: string): Language | undefined {
  return LANGUAGES.find(({ files }) => files.test(path));
}

/** A line that names the program of a script: `#!/usr/bin/env -S ruby -w`, `#!/usr/local/bin/python3.12`. */
const SCRIPT = /^#![ \t]*(?:\S*\/env[ \t]+(?:(?:-\S*|\w+=\S*)[ \t]+)*)?(?:\S*\/)?([a-z-]+)[\d.]*(?=\s|$)/;

/** Returns the language of a file by its name or, of a script without an ending, by the first line of its text. */
export function languageIn(path: string, text: () => string): Language | undefined {
  const named = languageOf(path);
  if (named || posix.extname(path) !== "") return named;
  const program = SCRIPT.exec(text())?.[1];
  return program === undefined ? undefined : LANGUAGES.find(({ programs }) => programs?.includes(program));
}
