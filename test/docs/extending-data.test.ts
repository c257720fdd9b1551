import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import type { review } from "../../src/tools/code-review/review.ts";
import { everyLanguageSchema, taintSchema } from "../../src/tools/code-review/taint/schema.ts";
import type { diagnose } from "../../src/tools/self-healing/diagnosing/diagnose.ts";
import { failuresSchema } from "../../src/tools/self-healing/failures/schema.ts";
import { added } from "../tools/code-review/cases.ts";
import { builtWith } from "./built-with.ts";

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");

/** Entries that the page adds: the list by its dotted name, the file, and the entry. */
const ENTRIES = [
  ...read("docs/extending-data.md").matchAll(/to\s`([\w.-]+)`\sof\s`([\w./-]+)`:\n\n```json\n([^`]+)```/g),
].map(([, list = "", file = "", json = ""]) => ({ list, file, entry: JSON.parse(json) }));

type Members = Record<string, unknown>;

/** Returns the files with the page's entries appended to their lists. */
function changedFiles(): Map<string, Members> {
  const files = new Map<string, Members>();
  for (const { list, file, entry } of ENTRIES) {
    const changed = files.get(file) ?? (JSON.parse(read(file)) as Members);
    files.set(file, changed);
    const entries = list.split(".").reduce<unknown>((at, name) => (at as Members)[name], changed);
    (entries as unknown[]).push(entry);
  }
  return files;
}

describe("docs/extending-data.md", () => {
  const entryOf = (list: string) => ENTRIES.find((each) => each.list === list)?.entry;
  let before: { diagnose: typeof diagnose; review: typeof review };
  let after: typeof before;
  beforeAll(async () => {
    const [unchanged, changed] = [new Map(), changedFiles()];
    const built = async (data: Map<string, unknown>) => ({
      ...(await builtWith<Pick<typeof before, "diagnose">>(
        "src/tools/self-healing/diagnosing/diagnose.ts",
        data,
      )),
      ...(await builtWith<Pick<typeof before, "review">>("src/tools/code-review/review.ts", data)),
    });
    [before, after] = [await built(unchanged), await built(changed)];
  });

  it("has an example of each kind of entry", () => {
    expect(ENTRIES.map(({ list }) => list)).toEqual([
      "signatures",
      "suggestions",
      "sinks.command-injection",
      "sources",
      "sanitizers.cleaningCalls",
    ]);
  });

  it("adds entries that the schemas allow", () => {
    for (const [path, file] of changedFiles()) {
      const schema = /every-language/.test(path)
        ? everyLanguageSchema
        : /taint/.test(path)
          ? taintSchema
          : failuresSchema;
      expect(schema.safeParse(file).error?.issues ?? [], path).toEqual([]);
    }
  });

  it("adds a signature that recognises its examples", () => {
    const { id, category, examples } = entryOf("signatures");
    for (const log of examples) {
      expect(before.diagnose({ log }).cause?.rule).not.toBe(id);
      expect(after.diagnose({ log })).toMatchObject({ category, ecosystem: "go", cause: { rule: id } });
    }
  });

  it("adds a suggestion that comes first for its example", () => {
    const { id, command, example } = entryOf("suggestions");
    expect(before.diagnose(example).suggestions.map((each) => each.id)).not.toContain(id);
    expect(after.diagnose(example).suggestions[0]).toMatchObject({ id, command });
  });

  const reported = ({ review }: typeof before, code: string) =>
    review({ diff: added("app.py", code) }).findings.map(({ rule, severity }) => `${rule}: ${severity}`);

  it("adds a sink, a source and a sanitizer that change the findings of a review", () => {
    const [sink, source, sanitizer] = [
      entryOf("sinks.command-injection").example,
      entryOf("sources").example,
      entryOf("sanitizers.cleaningCalls").example,
    ];
    expect(reported(before, sink)).toEqual([]);
    expect(reported(after, sink)).toEqual(["command-injection: warning"]);
    expect(reported(before, `os.system(${source})`)).toEqual(["command-injection: warning"]);
    expect(reported(after, `os.system(${source})`)).toEqual(["command-injection: error"]);
    expect(reported(before, `os.system(${sanitizer}(name))`)).toEqual(["command-injection: warning"]);
    expect(reported(after, `os.system(${sanitizer}(name))`)).toEqual([]);
  });
});
