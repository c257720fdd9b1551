/** A file that may be there to hand on what others of its folder export. */
const FRONT = /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py)$/;
/** `export { a }`, `export default { a }`, `module.exports = { a }`: perhaps of what was imported. */
const GATHERED = /\bexport\s{0,9}\{|\bexport\s{1,9}default\b|\bexports\b/;
/** `export { a as b } from "./c"`, `export * from "./c"` */
const HANDED =
  /\bexport\s{0,9}(?:\*[^;"'*]{0,100}|\{[^;"'{}]{0,2000}\}\s{0,9})\bfrom\s{0,9}["']([^"'\n]{1,300})["']/g;

/** What a file hands on, so that who imports it may use what another exports. */
export interface HandedOn {
  /** What names the other file; undefined where it may be any that is imported. */
  from: string | undefined;
  /** The text that holds the names of what is handed on; undefined if that is all. */
  names: string | undefined;
}

/** Whether a file may be there to hand on what others of its folder export, judged by its name. */
export function isFront(path: string): boolean {
  return FRONT.test(path);
}

/** Returns what a file hands on of what others export. */
export function handedOnBy(path: string, text: string): HandedOn[] {
  const handed: HandedOn[] = Array.from(text.matchAll(HANDED), ([clause, from]) => ({
    from,
    names: clause.includes("*") ? undefined : clause,
  }));
  if (isFront(path) && (path.endsWith(".py") || GATHERED.test(text)))
    handed.push({ from: undefined, names: /\bimport\s{0,9}\*/.test(text) ? undefined : text });
  return handed;
}
