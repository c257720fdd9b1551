import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";

const PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...pagesIn("docs")];

function pagesIn(folder: string): string[] {
  return (readdirSync(join(packageRoot, folder), { recursive: true }) as string[])
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

function read(page: string): string {
  return readFileSync(join(packageRoot, page), "utf8");
}

/** Returns the anchors of a page as GitHub makes them from its headings. */
function anchorsOf(page: string): Set<string> {
  const headings = read(page)
    .replace(/^```.*?^```/gms, "")
    .matchAll(/^#+ (.*)$/gm);
  const anchors = new Set<string>();
  for (const [, heading = ""] of headings) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    anchors.add(words.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-"));
  }
  return anchors;
}

describe.each(PAGES)("%s", (page) => {
  it("links to headings that are there", () => {
    const missing = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : relative(packageRoot, join(packageRoot, dirname(page), path));
      if (!existsSync(join(packageRoot, target))) return [link];
      return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [link];
    });
    expect(missing).toEqual([]);
  });
});
