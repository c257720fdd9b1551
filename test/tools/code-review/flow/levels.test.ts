import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import { TARGETS } from "../../../../src/tools/code-review/flow/target.ts";
import { FILES, fragmentOf } from "../cases.ts";

const FOLDER = join(import.meta.dirname, "levels");

/**
 * Programs in which each line that passes a value to `shell(…)`, `path(…)`, … states the value's taint level for
 * that target at its end.
 */
describe("the taint levels in a program", () => {
  it.each(["javascript", "python", "java", "go", "php", "ruby", "csharp"] as const)(
    "are as annotated in %s",
    (language) => {
      const text = readFileSync(join(FOLDER, `${language}.txt`), "utf8").trimEnd();
      const lines = text.split("\n");
      const fragment = fragmentOf(FILES[language], text);
      const found = lines.map((line, index) => {
        const target = TARGETS.find((name) => new RegExp(`\\b${name}\\(.*(?://|#) \\w+$`).test(line));
        if (!target) return line;
        const call = fragment.callsNamed(target).find(({ at }) => fragment.lineOf(at) === index);
        const [value] = call?.args ?? [];
        const level = value && provenanceOf(fragment, target).of(value);
        const said = Object.entries(LEVEL).find(([, own]) => own === level)?.[0];
        return line.replace(/\w+$/, said ?? "nothing");
      });
      expect(found).toEqual(lines);
    },
  );
});
