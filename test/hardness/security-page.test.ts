import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";

const page = readFileSync(join(packageRoot, "docs/security.md"), "utf8");
const cited = [...page.matchAll(/`([\w/-]+)` › ([^|;\n]+)/g)].map(([, file = "", name = ""]) => [
  file,
  name.trim(),
]);

describe("docs/security.md", () => {
  it("names a test in every row of the threat tables", () => {
    const tables = page.split("\n\n").filter((part) => part.split("\n")[0]?.endsWith("| Shown by |"));
    const rows = tables.flatMap((table) => table.trim().split("\n").slice(2));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((row) => !/` › \S/.test(row))).toEqual([]);
  });

  it.each(cited)("names a test that exists: %s › %s", (file = "", name = "") => {
    // The conformance suite for external adapters is in `src/`, as part of the package.
    const path = file.startsWith("src/") ? file : `test/${file}`;
    const source = ["test.ts", "test.tsx", "ts"]
      .map((end) => join(packageRoot, `${path}.${end}`))
      .find(existsSync);
    expect(source, `there is no ${path}`).toBeDefined();
    expect(readFileSync(source ?? "", "utf8")).toContain(name);
  });
});
