import type { Sighting } from "../finding.ts";
import { seenAt } from "../rules/sightings/sightings.ts";
import type { Fragment } from "../syntax/fragment.ts";

const SUITES = /ciphers?|suites?|set_cipher_list|priority/i;
const BROKEN_PART =
  /^(?:(?:DEFAULT|ALL)?@SECLEVEL=[01]|[ae]?NULL|EXP(?:ORT)?\d{0,2}|LOW|RC4|RC2|DES|3DES|IDEA|SEED|MD5|ADH|AECDH|ALL|COMPLEMENTOFDEFAULT|RC4-(?:SHA|MD5)|DES-CBC3?-\w{2,6}|[\w-]{0,30}-(?:RC4|DES|NULL|MD5)-?\w{0,8})$/;

/** Finds OpenSSL cipher lists that admit a broken cipher: `HIGH:RC4:!aNULL`. */
export function* cipherLists(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.stringsLike(LIST)) {
    const text = fragment.text(index);
    if (text.length > 2000 || !SUITES.test(context(fragment, index))) continue;
    // `+` joins algorithms that a suite must all have. `-` and `!` remove suites from the list.
    const parts = text.split(/[:,]/).flatMap((part) => (/^[-!]/.test(part) ? [part] : part.split("+")));
    if (parts.length < 2 && !/^[\w@=-]{4,40}$/.test(text)) continue;
    const broken = parts.find(
      (part) =>
        !/^[-!]/.test(part) &&
        BROKEN_PART.test(part.trim()) &&
        !(part === "ALL" && parts.some((each) => /^!(?:a?NULL|LOW|EXP)/.test(each))),
    );
    if (broken) yield seenAt(fragment, [index], { message: `The list of ciphers lets ${broken} in.` });
  }
}

const LIST = /@SECLEVEL=[01]|NULL|EXP|LOW|RC[24]|DES|IDEA|SEED|MD5|ADH|AECDH|ALL\b/;

/** Returns the words before a string, which name a list of ciphers. */
function context(fragment: Fragment, index: number): string {
  return Array.from({ length: 6 }, (_, back) => fragment.text(index - 1 - back)).join(" ");
}
