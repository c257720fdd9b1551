import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ALERTS } from "../src/alerts/alert.ts";
import { packageRoot } from "../src/system/package.ts";

const BEGIN = "<!-- made by `npm run docs` from src/alerts/alert.ts -->";
const END = "<!-- end -->";

/** Returns `docs/alerts.md` with a table of all alert types between its two marks. */
export function alertsReference(): string {
  const page = readFileSync(join(packageRoot, "docs/alerts.md"), "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined) throw new Error("docs/alerts.md has lost its marks");
  const rows = Object.entries(ALERTS).map(
    ([type, { when, example }]) => `| \`${type}\` | ${when} | \`${JSON.stringify(example)}\` |`,
  );
  const table = ["| Type | When | `data`, for example |", "|---|---|---|", ...rows].join("\n");
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}
