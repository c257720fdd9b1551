import { describe, expect, it } from "vitest";
import type { Finding, RuleId } from "../../../src/tools/code-review/finding.ts";
import { type Language, languageOf } from "../../../src/tools/code-review/language/language.ts";
import { lexisOf } from "../../../src/tools/code-review/lexer/lexis.ts";
import { type ReviewInput, review } from "../../../src/tools/code-review/review.ts";
import { RULES } from "../../../src/tools/code-review/rules.ts";
import { Fragment } from "../../../src/tools/code-review/syntax/fragment.ts";

export const FILES: Record<Language, string> = {
  javascript: "src/app.ts",
  python: "app.py",
  go: "app.go",
  java: "App.java",
  ruby: "app.rb",
  php: "app.php",
  c: "app.c",
  cpp: "app.cpp",
  csharp: "App.cs",
  rust: "app.rs",
  shell: "app.sh",
  yaml: "app.yml",
  dockerfile: "Dockerfile",
  markup: "app.html",
  other: "app.swift",
  text: "app.conf",
};

/** Returns the diff that adds a file. */
export function added(path: string, text: string): string {
  const lines = text.split("\n");
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join("\n")}\n`;
}

export function findingsIn(path: string, text: string, options: Omit<ReviewInput, "diff"> = {}): Finding[] {
  return review({ diff: added(path, text), ...options }).findings;
}

/** Returns a file as rules see it. */
export function fragmentOf(path: string, text: string): Fragment {
  const language = languageOf(path);
  const lines = text.split("\n").map((text, index) => ({ text, number: index + 1, added: true }));
  return new Fragment(path, language, lines, lexisOf(path, language));
}

/** Code that a rule must report, on the line that ends in «here» if one does, and code that it must not. */
export interface Cases {
  /** File name, instead of the language's usual one. */
  file?: string;
  must: readonly string[];
  mustNot: readonly string[];
}

const MARK = "«here»";

/** Tests a rule's examples. Every language that the rule names must have both kinds. */
export function ruleCases(id: RuleId, examples: Partial<Record<Language, Cases | readonly Cases[]>>): void {
  const rule = RULES.find((each) => each.id === id);
  describe(id, () => {
    it("has cases for every language of the rule", () => {
      const named = rule?.languages === "any" ? [] : (rule?.languages ?? []);
      for (const language of named) {
        const all = [examples[language] ?? []].flat();
        expect(
          all.flatMap(({ must }) => must),
          language,
        ).not.toEqual([]);
        expect(
          all.flatMap(({ mustNot }) => mustNot),
          language,
        ).not.toEqual([]);
      }
    });
    for (const [language, groups] of Object.entries(examples)) {
      for (const { file = FILES[language as Language], must, mustNot } of [groups].flat()) {
        it.each(must)(`reports in ${file}: %s`, (code) => {
          const marked = code.split("\n").findIndex((line) => line.includes(MARK));
          const found = findingsIn(file, code.replace(MARK, ""), { rules: { only: [id] } });
          if (marked < 0) expect(found.length).toBeGreaterThan(0);
          else expect(found.map(({ line }) => line)).toEqual([marked + 1]);
        });
        it.each(mustNot)(`passes over in ${file}: %s`, (code) => {
          const found = findingsIn(file, code, { rules: { only: [id] } });
          expect(found.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
        });
      }
    }
  });
}
