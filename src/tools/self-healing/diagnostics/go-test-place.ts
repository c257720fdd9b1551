import type { Around } from "./diagnostic.ts";

/** Output of t.Error and the like, with only the base name of the file. */
const MESSAGE = /^\s+(?<file>[^\s:]+\.go):(?<line>\d+):(?: (?<message>.*)|$)/;
/** Output of testify, with the whole path. */
const TRACE = /^\s+Error Trace:\s+(?<file>\S+\.go):(?<line>\d+)$/;
const RESULT = /^(?:--- |=== RUN|FAIL\b|ok\s|PASS\b|panic: )/;
/** With -v, messages come between the beginning of a test and its result. */
const BEGIN = /^=== RUN {3}(?<test>\S+)$/;
const PACKAGE = /^FAIL\t(?<package>\S+)/;

const FARTHEST = 60;
const MAX_TO_PACKAGE = 2000;

/** Returns the file, line and message of a failed Go test, which are below `--- FAIL: TestX` or, with -v, above it. */
export function goTestPlace(around: Around, test: string | undefined): Record<string, string> | undefined {
  const found = below(around) ?? above(around, test);
  if (!found?.file || /[\\/]/.test(found.file)) return found;
  const folder = folderOf(around);
  return folder ? { ...found, file: `${folder}/${found.file}` } : found;
}

function below(around: Around): Record<string, string> | undefined {
  let message: Record<string, string> | undefined;
  for (let offset = 1; offset <= FARTHEST; offset++) {
    const text = around(offset);
    if (text === undefined || RESULT.test(text)) break;
    const trace = TRACE.exec(text)?.groups;
    if (trace) return trace;
    if (message && MESSAGE.test(text)) break;
    message ??= MESSAGE.exec(text)?.groups;
  }
  return message;
}

/** Returns the last message of the test and its subtests. */
function above(around: Around, test: string | undefined): Record<string, string> | undefined {
  // A panic names its place in the stack below.
  if (around(1)?.startsWith("panic: ")) return undefined;
  for (let offset = -1; offset >= -FARTHEST; offset--) {
    const text = around(offset);
    const begun = BEGIN.exec(text ?? "")?.groups?.test;
    if (text === undefined || begun === test || (begun === undefined && RESULT.test(text))) return undefined;
    const found = (TRACE.exec(text) ?? MESSAGE.exec(text))?.groups;
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the folder of the package that the line below the tests names, relative to its module if the name
 * shows which part that is.
 */
function folderOf(around: Around): string | undefined {
  for (let offset = 1; offset <= MAX_TO_PACKAGE; offset++) {
    const text = around(offset);
    if (text === undefined) return undefined;
    const parts = PACKAGE.exec(text)?.groups?.package?.split("/");
    if (parts) return parts.slice(moduleLength(parts)).join("/");
  }
  return undefined;
}

/** Returns how many parts of a package's path are its module; all of them if that is unknown. */
function moduleLength(parts: readonly string[]): number {
  const [host = ""] = parts;
  if (!host.includes(".")) return 1;
  if (!/^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|golang\.org)$/.test(host))
    return parts.length;
  return /^v\d+$/.test(parts[3] ?? "") ? 4 : 3;
}
