import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Matches up to the last package in a path: `@b/c` in `node_modules/a/node_modules/@b/c/index.js`. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** A line that says whose a package is, in the head of a licence. */
const COPYRIGHT = /^\s*(?:copyright|\(c\)|©)/i;
const HEAD_LINES = 12;

/**
 * Returns the notice that the licences of bundled packages require: names, versions, copyright lines, and full licence
 * texts, each once below all the packages under it. Written for each package, the texts take a hundred kilobytes more.
 *
 * @param root the root of this package.
 * @param files the bundled files of other packages, relative to the root.
 */
export function licences(root, files) {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  const licences = new Map();
  for (const folder of folders) {
    const { title, text } = describe(join(root, folder));
    const { copyright, terms } = apart(text);
    const key = terms.replace(/\s+/g, " ");
    const { owners = new Map() } = licences.get(key) ?? {};
    owners.set(copyright, [...(owners.get(copyright) ?? []), title]);
    licences.set(key, { terms, owners });
  }
  const each = [...licences.values()].map(({ terms, owners }) => {
    const packages = [...owners].map(([copyright, titles]) =>
      [...new Set(titles)]
        .sort()
        .concat(copyright || [])
        .join("\n"),
    );
    return `${packages.sort().join("\n\n")}\n\n${terms}\n`;
  });
  const line = `${"-".repeat(80)}\n`;
  return `This package contains the following, under the licences that follow them.\n\n${line}${each.sort().join(`\n${line}`)}`;
}

/** Splits the lines that say whose a package is from the terms, which many packages share. */
function apart(text) {
  const lines = text.split("\n");
  const isCopyright = (line, index) => index < HEAD_LINES && COPYRIGHT.test(line);
  return {
    copyright: lines
      .filter(isCopyright)
      .map((line) => line.trim())
      .join("\n"),
    terms: lines
      .filter((line, index) => !isCopyright(line, index))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
  };
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
