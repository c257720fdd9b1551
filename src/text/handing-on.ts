/** A file that may be there to hand on what others of its folder export. */
const FRONT = /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py)$/;
/** `export { a }`, `export default { a }`, `module.exports = { a }`: perhaps of what was imported. */
const GATHERED = /\bexport\s{0,9}\{|\bexport\s{1,9}default\b|\bexports\b/;
/** `export { a as b } from "./c"`, `export * from "./c"` */
const HANDED =
  /\bexport\s{0,9}(?:\*[^;"'*]{0,100}|\{[^;"'{}]{0,2000}\}\s{0,9})\bfrom\s{0,9}["']([^"'\n]{1,300})["']/g;

/** `{ find as findUser }`; what a front imports by a name of its own: `import findUser from "./find"`, `findUser: require("./find")` */
const NAMING =
  /\bas\s{1,9}([\w$]{1,100})|\bimport\s{1,9}([\w$]{1,100})\s{1,9}from\b|\b([\w$]{1,100})\s{0,9}[:=]\s{0,9}require\b/g;
/** The most such names that are looked for. */
const MAX_ALIASES = 50;

/** What a file hands on, so that who imports it may use what another exports. */
export interface HandedOn {
  /** What names the other file; undefined where it may be any that is imported. */
  from: string | undefined;
  /** Names under which something may be handed on, where that is not its own. */
  aliases: readonly string[];
}

/** Whether a file may be there to hand on what others of its folder export, judged by its name. */
export function isFront(path: string): boolean {
  return FRONT.test(path);
}

/** Returns what a file hands on of what others export. */
export function handedOnBy(path: string, text: string): HandedOn[] {
  const handed: HandedOn[] = Array.from(text.matchAll(HANDED), ([clause, from]) => ({
    from,
    aliases: aliasesIn(clause),
  }));
  if (isFront(path) && (path.endsWith(".py") || GATHERED.test(text)))
    handed.push({ from: undefined, aliases: aliasesIn(text) });
  return handed;
}

function aliasesIn(text: string): string[] {
  const names = Array.from(text.matchAll(NAMING), ([, ...named]) => named.find(Boolean) as string);
  return [...new Set(names)].filter((name) => name !== "default").slice(0, MAX_ALIASES);
}
