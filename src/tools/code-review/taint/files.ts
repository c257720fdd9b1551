import c from "./c.json" with { type: "json" };
import cpp from "./cpp.json" with { type: "json" };
import csharp from "./csharp.json" with { type: "json" };
import everyLanguage from "./every-language.json" with { type: "json" };
import go from "./go.json" with { type: "json" };
import java from "./java.json" with { type: "json" };
import javascript from "./javascript.json" with { type: "json" };
import php from "./php.json" with { type: "json" };
import python from "./python.json" with { type: "json" };
import ruby from "./ruby.json" with { type: "json" };
import rust from "./rust.json" with { type: "json" };
import type { EveryLanguageFile, TaintFile } from "./schema.ts";
import shell from "./shell.json" with { type: "json" };

export const TAINT_FILES = [
  javascript,
  python,
  go,
  java,
  ruby,
  php,
  c,
  cpp,
  csharp,
  rust,
  shell,
] as readonly TaintFile[];

export const EVERY_LANGUAGE = everyLanguage as EveryLanguageFile;
