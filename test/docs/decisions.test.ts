import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../../docs/decisions");

it("docs/decisions/README.md lists every decision by its number and title", () => {
  const pages = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));
  const lines = pages.sort().map((name) => {
    const [title = ""] = readFileSync(join(FOLDER, name), "utf8").split("\n");
    return `${Number(name.slice(0, 4))}. [${title.replace("# ", "")}](${name})`;
  });
  const listed = readFileSync(join(FOLDER, "README.md"), "utf8").split("\n");
  expect(listed.filter((line) => /^\d+\. /.test(line))).toEqual(lines);
});
