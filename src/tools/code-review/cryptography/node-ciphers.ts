import { firstIndex } from "../../../system/binary-search.ts";
import type { Sighting } from "../finding.ts";
import { literalIn } from "../flow/literal.ts";
import { seenCall } from "../rules/sightings/sightings.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";

const AUTHENTICATED = /-(?:gcm|ccm|ocb)$|^chacha20-poly1305$/i;

const CIPHERS = /^create(?:Cipher|Decipher|Decipheriv)$/;

/** Finds misuse of Node's ciphers: no initialisation vector, or an authentication tag that is not checked. */
export function* misusedCiphers(fragment: Fragment): Iterable<Sighting> {
  if (fragment.language !== "javascript") return;
  for (const call of fragment.callsOf(CIPHERS)) {
    if (call.name !== "createDecipheriv") {
      const message = `${call.name}() derives key and initialisation vector from a password without salt; use ${call.name}iv().`;
      yield seenCall(fragment, call, { message, severity: "error" });
    } else if (call.args.length > 0) yield* decipher(fragment, call);
  }
}

function* decipher(fragment: Fragment, call: Call): Iterable<Sighting> {
  const algorithm = literalIn(fragment, call.args[0] as Range)?.text;
  if (!algorithm || !AUTHENTICATED.test(algorithm)) return;
  const body = fragment.names.functionAt(call.at)?.body;
  const end = body?.to ?? fragment.tokens.length;
  const complete = body !== undefined && fragment.text(body.to) === "}";
  if (complete && fragment.usesIn("final", { from: call.end, to: end }).length === 0) {
    const message = `What ${algorithm} deciphers is not authenticated before final() is called, and it is not called here.`;
    yield seenCall(fragment, call, { message });
    return;
  }
  if (!/-gcm$/i.test(algorithm)) return;
  const lengthGiven =
    optionsOf(fragment, call.args).some(({ name }) => name === "authTagLength") || call.args.length > 3;
  if (lengthGiven || tagIsMeasured(fragment, body ?? { from: 0, to: end })) return;
  const message = "Without authTagLength, a tag of 4 bytes is taken for one of 16.";
  yield seenCall(fragment, call, { message, severity: "info" });
}

/** Where a tag is measured, in order: `tag.length !== 16`. */
const measuredTags = oncePerFragment((fragment: Fragment) =>
  fragment
    .wordsLike(/^(?:length|byteLength)$/)
    .filter((index) => /tag/i.test(fragment.text(index - 2)))
    .sort((left, right) => left - right),
);

function tagIsMeasured(fragment: Fragment, { from, to }: Range): boolean {
  const measured = measuredTags(fragment);
  const next = measured[firstIndex(measured, (index) => index >= from)];
  return next !== undefined && next < to;
}
