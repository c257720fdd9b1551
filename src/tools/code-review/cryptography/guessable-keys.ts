import type { Sighting } from "../finding.ts";
import { literalIn } from "../flow/literal.ts";
import { receiverPath } from "../flow/receivers.ts";
import { seenCall } from "../rules/sightings/sightings.ts";
import type { Fragment } from "../syntax/fragment.ts";

const FILLING = /^[nN]extBytes$/;
const GENERATOR = /^(?:java\.util\.|System\.)?Random(?:\(\))?\.[nN]extBytes$/;
const KEYED =
  /^(?:Aes\w{0,8}|ChaCha20Poly1305|HMAC\w{0,8}|SecretKeySpec|IvParameterSpec|GCMParameterSpec|CreateEncryptor|CreateDecryptor|SymmetricSecurityKey)$/;
/** Maximum calls that fill a buffer, of those in a hunk, that are examined. */
const MAX_LOOKED_AT = 50;

const CIPHERS = /(?:^|\.)(?:AES|DES3?|Blowfish|ARC[24]|ChaCha20|Salsa20)\.new$/;

/** `AES.new("", …)` of Python. */
export function* emptyKeys(fragment: Fragment): Iterable<Sighting> {
  if (fragment.language !== "python") return;
  for (const call of fragment.callsOf(/^new$/)) {
    const key = call.args[0] && literalIn(fragment, call.args[0]);
    if (key?.text !== "" || !CIPHERS.test(fragment.names.resolve(call.path))) continue;
    yield seenCall(fragment, call, { message: "The key is empty, so that anyone has it." });
  }
}

/** Finds keys and vectors whose bytes come from a predictable generator. */
export function* guessableKeys(fragment: Fragment): Iterable<Sighting> {
  if (fragment.language !== "csharp" && fragment.language !== "java") return;
  for (const filled of fragment.callsOf(FILLING).slice(0, MAX_LOOKED_AT)) {
    const given = filled.args[0];
    if (!given || !GENERATOR.test(receiverPath(fragment, filled.path, filled.start))) continue;
    const name = fragment.text(given.from);
    const scope = fragment.names.functionAt(filled.at);
    const used = fragment
      .callsOf(KEYED)
      .find(
        ({ at, args }) =>
          at > filled.at &&
          fragment.names.functionAt(at) === scope &&
          args.some(({ from, to }) => to === from + 1 && fragment.text(from) === name),
      );
    if (!used) continue;
    yield seenCall(fragment, used, {
      message: `${used.name} gets bytes that can be predicted from earlier ones.`,
      suggestion:
        fragment.language === "java"
          ? "Fill them with java.security.SecureRandom."
          : "Fill them with RandomNumberGenerator.Fill.",
    });
  }
}
