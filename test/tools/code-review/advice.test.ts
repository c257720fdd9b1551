import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/tools/code-review/language/language.ts";
import { adviceFor } from "../../../src/tools/code-review/rules/sightings/advice.ts";
import { RULES } from "../../../src/tools/code-review/rules.ts";
import { findingsIn } from "./cases.ts";

describe("the suggestion of a finding", () => {
  it("is specific to the language, or else the general one of its rule", () => {
    const suggestion = (file: string, code: string) =>
      findingsIn(file, code, { rules: { only: ["insecure-randomness"] } })[0]?.suggestion;
    expect(suggestion("app.py", "token = random.random()")).toContain("secrets.token_urlsafe");
    expect(suggestion("App.java", "int token = new Random().nextInt();")).toContain("SecureRandom");
    const own = RULES.find(({ id }) => id === "insecure-randomness")?.suggestion;
    expect(suggestion("app.c", "int token = rand();")).toBe(own);
  });

  it("has language variants only for languages that its rule reads", () => {
    for (const { id, languages } of RULES) {
      const advised = LANGUAGES.filter((language) => adviceFor(id, language) !== undefined);
      expect(
        advised.filter((language) => languages !== "any" && !languages.includes(language)),
        id,
      ).toEqual([]);
    }
  });

  it("comes from the variant of the rule that matched", () => {
    const [finding] = findingsIn(
      "app.py",
      'from flask import request, redirect\nredirect(request.args["next"])',
    );
    expect([finding?.rule, finding?.cwe]).toEqual(["path-traversal", "CWE-601"]);
    expect(finding?.suggestion).toContain("this site");
  });
});
