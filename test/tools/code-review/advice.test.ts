import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/tools/code-review/language/language.ts";
import { adviceFor } from "../../../src/tools/code-review/rules/sightings/advice.ts";
import { RULES } from "../../../src/tools/code-review/rules.ts";
import { findingsIn } from "./cases.ts";

describe("advice", () => {
  it("is given in the language's own terms, and in the rule's where it has none", () => {
    const suggestion = (file: string, code: string) =>
      findingsIn(file, code, { rules: { only: ["insecure-randomness"] } })[0]?.suggestion;
    expect(suggestion("app.py", "token = random.random()")).toContain("secrets.token_urlsafe");
    expect(suggestion("App.java", "int token = new Random().nextInt();")).toContain("SecureRandom");
    const own = RULES.find(({ id }) => id === "insecure-randomness")?.suggestion;
    expect(suggestion("app.c", "int token = rand();")).toBe(own);
  });

  it("names no language that its rule does not read", () => {
    for (const { id, languages } of RULES) {
      const advised = LANGUAGES.filter((language) => adviceFor(id, language) !== undefined);
      expect(
        advised.filter((language) => languages !== "any" && !languages.includes(language)),
        id,
      ).toEqual([]);
    }
  });

  it("of a variant is the variant's", () => {
    const [finding] = findingsIn(
      "app.py",
      'from flask import request, redirect\nredirect(request.args["next"])',
    );
    expect([finding?.rule, finding?.cwe]).toEqual(["path-traversal", "CWE-601"]);
    expect(finding?.suggestion).toContain("this site");
  });
});
