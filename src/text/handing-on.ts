/** A file whose purpose is to hand on what others of its folder export. */
const FRONT = /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py)$/;
/** `export { a as b } from "./c"`, `export * from "./c"` */
const HANDED =
  /\bexport\s{0,9}(?:\*[^;"'*]{0,100}|\{[^;"'{}]{0,2000}\}\s{0,9})\bfrom\s{0,9}["']([^"'\n]{1,300})["']/g;

/** Whether a file may hand on what another exports, so that who imports this one may use that. */
export function handsOn(path: string, text: string, isOfOther: (specifier: string) => boolean): boolean {
  if (FRONT.test(path)) return true;
  return Array.from(text.matchAll(HANDED)).some(([, specifier = ""]) => isOfOther(specifier));
}
