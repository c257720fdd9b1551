/** A file that may be there to hand on what others of its folder export. */
const FRONT = /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py)$/;
/** `export { a }`, `export default { a }`, `module.exports = { a }`: perhaps of what was imported. */
const GATHERED = /\bexport\s{0,9}\{|\bexport\s{1,9}default\b|\bexports\b/;
/** `export { a as b } from "./c"`, `export * from "./c"` */
const HANDED =
  /\bexport\s{0,9}(?:\*[^;"'*]{0,100}|\{[^;"'{}]{0,2000}\}\s{0,9})\bfrom\s{0,9}["']([^"'\n]{1,300})["']/g;

/** Whether a file may be there to hand on what others of its folder export, judged by its name. */
export function isFront(path: string): boolean {
  return FRONT.test(path);
}

/**
 * Whether a file that imports another may hand on what that exports, so that who imports this one may use it.
 *
 * @param isMeant whether a clause that names what is handed on names what is looked for
 */
export function handsOn(
  path: string,
  text: string,
  isOfOther: (specifier: string) => boolean,
  isMeant: (clause: string) => boolean = () => true,
): boolean {
  const isGathered = isFront(path) && (path.endsWith(".py") || GATHERED.test(text));
  if (isGathered && (/\bimport\s{0,9}\*/.test(text) || isMeant(text))) return true;
  return Array.from(text.matchAll(HANDED)).some(
    ([clause, as = ""]) => isOfOther(as) && (clause.includes("*") || isMeant(clause)),
  );
}
