import type { Visitor } from "./visitor.ts";

/**
 * What a visitor gets to by the console's navigation, section by section, so that one that is added later is among
 * them; and of each page one of every kind that it leads on to within itself: one key, one error, a tab, an order.
 */
export async function consolePaths(visitor: Visitor): Promise<string[]> {
  const sections = linksIn((await visitor.get("/")).html, "nav");
  const paths = new Map(sections.map((path) => [path, path]));
  for (const section of sections) {
    for (const href of linksIn((await visitor.get(section)).html, "main")) {
      const to = new URL(href, `http://console.invalid${section}`);
      if (to.pathname !== section || to.host !== "console.invalid" || to.search === "") continue;
      // Two that differ in a value alone are the same page of two things.
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
