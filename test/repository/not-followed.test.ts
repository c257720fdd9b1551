import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../src/repository/languages/languages.ts";
import data from "../../src/repository/languages/not-followed.json" with { type: "json" };
import { notFollowedFrom, notFollowedIn, notFollowedLanguage } from "../../src/repository/not-followed.ts";
import { openRepository } from "../../src/repository/open-repository.ts";
import { directoryWith } from "./directory.ts";

const openWith = (files: Record<string, string>) => openRepository(directoryWith(files));

describe("a language whose imports are not followed", () => {
  it.each(data.languages)("$name is recognised by $example", ({ name, example }) => {
    expect(notFollowedLanguage({ files: new Map() }, example)).toBe(name);
  });

  it("is listed once, with extensions of its own", () => {
    const all = data.languages.flatMap(({ extensions }) => extensions);
    expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([]);
    const names = new Set([...data.languages, ...LANGUAGES].map(({ name }) => name));
    const uses = data.languages.flatMap((each) => each.uses ?? []);
    expect(uses.filter((each) => !names.has(each))).toEqual([]);
  });

  it.each([
    ["lib/shop.EX", "Elixir"],
    ["app/shop.html.erb", "Ruby templates"],
    ["web/shop.css", ".css"],
    ["Dockerfile", "Dockerfile"],
    ["src/shop.ts", undefined],
    ["web/Shop.vue", undefined],
  ])("is found by the path %s: %s", (path, language) => {
    expect(notFollowedLanguage({ files: new Map() }, path)).toBe(language);
  });

  it("is counted in a repository only if it is a programming language", async () => {
    const repository = await openWith({
      "a.ex": "",
      "b.ex": "",
      "c.lua": "",
      "d.ts": "",
      "README.md": "",
    });
    expect(notFollowedIn(repository)).toEqual([
      { language: "Elixir", files: 2 },
      { language: "Lua", files: 1 },
    ]);
  });

  it.each([
    ["an Elixir file", "lib/shop.ex", [{ language: "Elixir", files: 1 }]],
    ["a Java file that Groovy may use", "src/Shop.java", [{ language: "Groovy", files: 1 }]],
    ["a header that Objective-C may use", "src/net.h", [{ language: "Objective-C", files: 1 }]],
    ["a file of TypeScript", "src/shop.ts", []],
  ])("is reported if it may depend on %s", async (_, start, expected) => {
    const repository = await openWith({
      "lib/shop.ex": "",
      "src/Shop.java": "",
      "src/Cart.groovy": "",
      "src/net.h": "",
      "src/net.mm": "",
      "src/shop.ts": "",
    });
    expect(notFollowedFrom(repository, [start], "in")).toEqual(expected);
  });

  it("does not include pages and settings among the changed files", async () => {
    const repository = await openWith({ "README.md": "", Makefile: "", "shop.ts": "", "shop.ex": "" });
    const changed = ["README.md", "settings.toml", "parts", "shop.ts", "shop.ex"];
    expect(notFollowedFrom(repository, changed, "in", { areChanges: true })).toEqual([
      { language: "Elixir", files: 1 },
    ]);
    expect(notFollowedFrom(repository, ["README.md"], "in")).toEqual([{ language: ".md", files: 1 }]);
  });
});
