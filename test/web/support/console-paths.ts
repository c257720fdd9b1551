import type { Visitor } from "./visitor.ts";

/**
 * Returns the paths that a visitor reaches by the console's navigation, so that new sections are included. Of the links
 * within each page it includes one of every kind: one key, one error, a tab, a sort order.
 */
export async function consolePaths(visitor: Visitor): Promise<string[]> {
  const sections = linksIn((await visitor.get("/")).html, "nav");
  const paths = new Map(sections.map((path) => [path, path]));
  for (const section of sections) {
    for (const href of linksIn((await visitor.get(section)).html, "main")) {
      const to = new URL(href, `http://console.invalid${section}`);
      if (to.pathname !== section || to.host !== "console.invalid" || to.search === "") continue;
      // Paths that differ only in the values of their parameters are of one kind.
      const kind = `${section}?${[...to.searchParams.keys()].sort()}`;
      if (!paths.has(kind)) paths.set(kind, to.pathname + to.search);
    }
  }
  return [...paths.values()];
}

function linksIn(html: string, element: "nav" | "main"): string[] {
  const [inside = ""] = new RegExp(`<${element}[ >].*?</${element}>`, "s").exec(html) ?? [];
  return [...inside.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&"),
  );
}
