import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { startApp } from "../support/app.ts";

it("docs/api.md names every path of the OpenAPI document", async () => {
  const page = readFileSync(join(packageRoot, "docs/api.md"), "utf8");
  const app = await startApp({ upstreams: ["files=http://127.0.0.1:9/mcp"] });
  const { body } = await app.request("GET", "/openapi.json");
  const general = (path: string) =>
    path
      .replace(/^(\/api\/0\/organizations\/\{organization\}\/).*/, "$1…")
      .replace(/^(\/\.well-known\/oauth-protected-resource)\/.*/, "$1");
  const paths = Object.keys(body.paths).map(general);
  expect(paths).toContain("/health");
  expect(paths.filter((path) => !page.includes(path))).toEqual([]);
});
