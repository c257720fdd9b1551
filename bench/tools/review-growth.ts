import { review } from "../../src/tools/code-review/review.ts";
import { KNOWN_CASES } from "../../test/tools/code-review/support/known-cases.ts";
import { TAINT_FILES } from "../../test/tools/code-review/support/taint-files.ts";

const BYTES = 40_000;
const TIMES = 4;
/** Largest ratio of times that is not reported: between linear growth, which is `TIMES`, and quadratic, which is 16. */
const MOST = 7;
/** Shorter reviews are not judged: they drown in the machine's noise. */
const LEAST_MS = 600;

/** Ways to repeat the code of a case, by name. */
const SHAPES: Readonly<Record<string, (code: string, index: number) => string>> = {
  "as it is": (code) => code,
  "other names": (code, index) => code.replace(/\b(?:x|q|name|value|data)\b/g, `$&${index}`),
  "on one line": (code) => `${code.replaceAll("\n", " ")} `,
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  csharp: "cs",
  javascript: "js",
  python: "py",
  ruby: "rb",
  rust: "rs",
  shell: "sh",
};

/**
 * Finds files whose review takes quadratic time: repeats every known case of the tests in a file, and in one
 * four times as long, and compares the times.
 */
export async function run(): Promise<void> {
  const cases = [...knownCases()];
  let found = 0;
  for (const { path, code } of cases) {
    for (const [shape, write] of Object.entries(SHAPES)) {
      const time = (bytes: number) => reviewMs(path, repeated(code, write, bytes));
      const isSlow = () => {
        const long = time(TIMES * BYTES);
        return long > LEAST_MS && long > MOST * time(BYTES);
      };
      if (!isSlow() || !isSlow()) continue;
      found++;
      console.log(
        `${path}, ${shape}: ${time(BYTES).toFixed(0)} ms, then ${time(TIMES * BYTES).toFixed(0)} ms`,
      );
      console.log(`  ${code.slice(0, 300).replaceAll("\n", "\n  ")}`);
    }
  }
  console.log(
    `${found} of ${cases.length} cases x ${Object.keys(SHAPES).length} shapes grow faster than their file`,
  );
}

function* knownCases(): Generator<{ path: string; code: string }> {
  for (const { cases } of KNOWN_CASES) yield* cases;
  for (const { language, sinks } of TAINT_FILES) {
    for (const { example } of Object.values(sinks ?? {}).flatMap((each) => each ?? [])) {
      yield { path: `a.${EXTENSIONS[language] ?? language}`, code: example };
    }
  }
}

function repeated(code: string, write: (code: string, index: number) => string, bytes: number): string {
  const times = Math.max(1, Math.floor(bytes / (code.length + 1)));
  const separator = write("a\nb", 0).includes("\n") ? "\n" : "";
  return Array.from({ length: times }, (_, index) => write(code, index)).join(separator);
}

function reviewMs(path: string, text: string): number {
  const lines = text.split("\n");
  const head = `diff --git a/${path} b/${path}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n`;
  const diff = `${head}${lines.map((line) => `+${line}\n`).join("")}`;
  const began = performance.now();
  review({ diff });
  return performance.now() - began;
}
