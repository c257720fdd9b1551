import { review } from "../../src/tools/code-review/review.ts";
import { KNOWN_CASES } from "../../test/tools/code-review/support/known-cases.ts";
import { TAINT_FILES } from "../../test/tools/code-review/support/taint-files.ts";

const BYTES = 40_000;
const TIMES = 4;
/** As many times the work for `TIMES` as much text: twice that is far from the square, which is 16. */
const MOST = 7;
/** Less is lost in what the machine does besides. */
const LEAST_MS = 600;

/** What a case is made of many of. */
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
 * Whether the time of a review grows with the square of a file: of every case that the tests know, a file of
 * many and one of four times as many.
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
