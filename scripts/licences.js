import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The last package in a path: `node_modules/a/node_modules/@b/c/index.js` is of the second. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * What the licences of bundled packages ask for: their names, versions, and licences to the letter, each text once
 * with all that are under it.
 *
 * @param root of this package.
 * @param files everything of others that is in the bundle, relative to the root.
 */
export function licences(root, files) {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  const packages = new Map();
  for (const folder of folders) {
    const { title, text } = describe(join(root, folder));
    packages.set(text, [...(packages.get(text) ?? []), title]);
  }
  const each = [...packages].map(
    ([text, titles]) => `${[...new Set(titles)].sort().join("\n")}\n\n${text}\n`,
  );
  const line = `${"-".repeat(80)}\n`;
  return `This package contains the following, under the licences that follow them.\n\n${line}${each.sort().join(`\n${line}`)}`;
}

function describe(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  if (!license && texts.length === 0) throw new Error(`${name} says nowhere under which licence it is`);
  const by = typeof author === "string" ? author : author?.name;
  const text = texts.length > 0 ? texts.join("\n\n") : `${license}${by ? `, by ${by}` : ""}`;
  return { title: `${name} ${version} (${license})`, text };
}
