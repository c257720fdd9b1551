import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The last package in a path: `node_modules/a/node_modules/@b/c/index.js` is of the second. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * What the licences of bundled packages ask for: their names, versions, and licences to the letter.
 *
 * @param root of this package.
 * @param files everything of others that is in the bundle, relative to the root.
 */
export function licences(root, files) {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  const described = [...folders].map((folder) => describe(join(root, folder)));
  const each = [...new Set(described)].sort();
  return `This package contains the following, under the licences that follow each.\n\n${each.join("\n")}`;
}

function describe(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const text = texts.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (!license && text.length === 0) throw new Error(`${name} says nowhere under which licence it is`);
  const by = typeof author === "string" ? author : author?.name;
  const said = text.length > 0 ? text.join("\n\n") : `${license}${by ? `, by ${by}` : ""}`;
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${said}\n`;
}
