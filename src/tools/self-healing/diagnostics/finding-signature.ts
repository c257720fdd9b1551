import type { Category } from "../categories.ts";
import { categoryByWords } from "../category-by-words.ts";
import type { Signature } from "../signatures/signature.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Signature of a line that no other one recognises, but that names a place in a file as tools do. */
const FINDING: Signature = { id: "finding", role: "cause", category: "lint", weight: 84 };
/** The same for a finding that its tool does not call an error, after which it may continue. */
const REMARK: Signature = { ...FINDING, survivable: true };

/** Files that hardly anything but their compiler reads. */
const COMPILED =
  /\.(?:capnp|scm|vcl|zig(?:\.zon)?|proto|sol|nim|cr|mli?|hx|vhdl?|s?v|f\d\d|ad[bs]|pas|lpr|cls|sql|graphql|gql|thrift|erl|hrl|ll?|yy?|awk|vala|d|tex|sty)$/i;
/** Sources of programs, which configure nothing. */
const OF_PROGRAMS = /\.(?:c|cc|cpp|cxx|cs|go|h|hpp|java|kt|m|mm|rs|scala|swift)$/;
/** Sources that only compilers call wrong without a word about which rule it is. */
const NATIVE =
  /\.(?:[chdms]|cc|cpp|cxx|hh|hpp|mm|asm|pas|dpr|dpk|lpr|bas|cob|cbl|f\d\d|for|ad[bs]|s?v|vhdl?|hlsl|glsl|frag|vert)$/i;
/** Numbers as compilers have them: `C2065`, `E2003`. Linters name their rules, or have words in the number. */
const NUMBER = /^[A-Z]{1,2}\d{3,5}$/;
const OF_SETTINGS =
  /\.(?:prisma|ini|cfg|conf|properties|service|env|zone)$|(?:^|[\\/])(?:Cargo\.toml|go\.mod|Caddyfile|[Jj]ustfile|meson\.build|configure\.ac|Makefile\.am)$/;

/**
 * Returns the signature of a finding that no pattern recognises. A linter's finding has a code, or a format of
 * linters; for others, the words of the message and the file decide.
 */
export function signatureOf({ file, severity, code, message, lint, compiler }: Diagnostic): Signature {
  const found = severity === "error" ? FINDING : REMARK;
  if (
    severity !== "warning" &&
    severity !== "info" &&
    (compiler || (severity === "error" && isOfCompiler(file, code)))
  )
    return { ...found, category: ofCompiler(message) };
  if (lint || code !== undefined || severity === "warning" || severity === "info") return found;
  const spoken = categoryByWords(message);
  if (spoken === "configuration" && OF_PROGRAMS.test(file)) return found;
  if (OF_SETTINGS.test(file)) return { ...found, category: spoken ?? "configuration" };
  const category = spoken ?? (COMPILED.test(file) ? "compile_error" : undefined);
  return category ? { ...found, category } : found;
}

function isOfCompiler(file: string, code = "C0000"): boolean {
  return NATIVE.test(file) && NUMBER.test(code);
}

/** A compiler that misses "required" or "invalid" parts speaks of the source, not of settings. */
function ofCompiler(message: string): Category {
  const spoken = categoryByWords(message);
  return spoken && spoken !== "lint" && spoken !== "configuration" ? spoken : "compile_error";
}
