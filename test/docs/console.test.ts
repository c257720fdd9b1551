import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { browserOn } from "../support/browsing.ts";

it("docs/console.md names every page that the console links to, for an operator of a server with upstreams", async () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/console.md"), "utf8");
  const operator = await browserOn(await startApp({ upstreams: ["files=http://127.0.0.1:9/mcp"] }));
  const { html } = await operator.get("/");
  const paths = [...html.matchAll(/href="(\/[a-z/]*)["?]/g)].map(([, path]) => path);
  expect(paths).toContain("/upstreams");
  expect([...new Set(paths)].filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
});
