import { describe, expect, it } from "vitest";
import { linkedPaths } from "../../src/repository/files/linked-paths.ts";

describe("linkedPaths()", () => {
  const added = (links: Record<string, string>, existing: readonly string[]) =>
    Object.fromEntries(linkedPaths(Object.keys(links), new Set(existing), (link) => links[link]));

  it("has every file below a linked directory, and none beside it", () => {
    const existing = ["kit-old/a.ts", "kit/sub/b.ts", "kit.ts", "kit/a.ts", "kit0.ts", "web/c.ts"];
    expect(added({ "web/kit": "../kit" }, existing)).toEqual({
      "web/kit/a.ts": "kit/a.ts",
      "web/kit/sub/b.ts": "kit/sub/b.ts",
    });
  });

  it("leaves out links that lead to each other, to themselves, out of the repository and to nothing", () => {
    const links = {
      "a.ts": "b.ts",
      "b.ts": "a.ts",
      "c.ts": "c.ts",
      "d.ts": "../d.ts",
      e: ".",
      f: "/kit",
      g: "none",
      h: "C:/kit",
    };
    expect(added(links, ["kit/a.ts"])).toEqual({});
  });

  it("looks up thousands of links to directories among the files of a large repository", () => {
    const existing = Array.from({ length: 20_000 }, (_, at) => `packages/kit${at % 200}/src/file${at}.ts`);
    const links = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [
        `links/${at}`,
        at === 19_999 ? "../packages/kit7" : "../gone",
      ]),
    );
    expect(Object.keys(added(links, existing))).toHaveLength(100);
  });
});
