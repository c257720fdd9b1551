import { codeOfWord, codesOf, plain, type Statement, saysNothingAlone } from "../statement.ts";

/** Words that say that something changed, but not what. */
const CUES = codesOf(
  "now actually currently correction update updated recently today henceforth switched moved changed migrated anymore instead longer from replaced " +
    "jetzt nun nunmehr mittlerweile inzwischen maintenant désormais ahora",
);
/** Says from when on something holds where it opens a statement; elsewhere it may say why, or since when only. */
export const SINCE = codeOfWord("since");
/** Verbs. The words before one of these are the subject of a statement. */
export const VERBS = codesOf(
  "is are was were be been has have had must should can may will shall do does use run take live deploy listen belong need own prefer contain return expire last cost keep start end lives happen work serve store send track close open rotate",
);
/** Words before what is to be done on an occasion, which has not changed: "ask before changing prices". */
const OCCASIONS = codesOf("before after when while without by");

/** Whether a word says that something changed. */
export function isCue(code: number, at: number, statement: Statement): boolean {
  if (at === 0 && plain(code) === SINCE) return true;
  return CUES.has(plain(code)) && !(at > 0 && OCCASIONS.has(plain(statement[at - 1] as number)));
}

export function isContent(code: number): boolean {
  return !saysNothingAlone(code);
}
