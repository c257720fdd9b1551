import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alertsReference } from "../scripts/alerts-reference.ts";
import { apiReference, problemsReference } from "../scripts/api-reference.ts";
import { cliReference } from "../scripts/cli-reference.ts";
import { DATA_SCHEMAS } from "../scripts/data-schemas.ts";
import { repeatableRoutes } from "../scripts/repeatable-routes.ts";
import { reviewRulesReference } from "../scripts/review-rules.ts";
import { endpoints } from "../src/api.ts";
import { packageRoot } from "../src/system/package.ts";

function page(name: string): string {
  return readFileSync(join(packageRoot, "docs", name), "utf8");
}

describe("files that `npm run docs` generates are up to date", () => {
  it("docs/alerts.md", () => expect(page("alerts.md")).toBe(alertsReference()));
  it("docs/api.md", () => expect(page("api.md")).toBe(apiReference(endpoints)));
  it("docs/cli.md", async () => expect(page("cli.md")).toBe(await cliReference()));
  it("docs/code-review-rules.md", () => expect(page("code-review-rules.md")).toBe(reviewRulesReference()));
  it("src/client/repeatable-routes.ts", () => {
    const made = readFileSync(join(packageRoot, "src/client/repeatable-routes.ts"), "utf8");
    expect(made).toBe(repeatableRoutes(endpoints));
  });
  it("docs/problems.md", () => expect(page("problems.md")).toBe(problemsReference()));
  it.each(Object.entries(DATA_SCHEMAS))("%s", (path, schema) => {
    expect(readFileSync(join(packageRoot, path), "utf8")).toBe(schema);
  });
});

it("README.md has the commands to run the demo and the tests", () => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  expect(readme).toContain("npm ci && npx tool demo");
  expect(readme).toContain("npm ci && npm test");
});
