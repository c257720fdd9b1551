import { c } from "./c/c.ts";
import { csharp } from "./csharp/csharp.ts";
import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import { javascript } from "./javascript/javascript.ts";
import { kotlin } from "./kotlin/kotlin.ts";
import type { Language } from "./language.ts";
import { php } from "./php/php.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";
import { rust } from "./rust/rust.ts";

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
];

export function languageOf(path: string): Language | undefined {
  return LANGUAGES.find(({ files }) => files.test(path));
}
