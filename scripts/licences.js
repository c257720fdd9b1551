import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Matches up to the last package in a path: `@b/c` in `node_modules/a/node_modules/@b/c/index.js`. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Returns the notice that the licences of bundled packages require: names, versions and full licence texts, each text
 * once with all the packages under it.
 *
 * @param root the root of this package.
 * @param files the bundled files of other packages, relative to the root.
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
