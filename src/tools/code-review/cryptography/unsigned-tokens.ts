import { firstIndex } from "../../../system/binary-search.ts";
import type { Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { receiverPath } from "../flow/receivers.ts";
import type { Language } from "../language/language.ts";
import { seenAt, seenCall, seenOption } from "../rules/sightings/sightings.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";

const UNSIGNED = "A token without a signature is accepted: anyone can write one.";
/** Names of library functions that create or read tokens. */
const READERS =
  /^(?:sign|verify|decode|encode|none|jwt\w{0,12}|expressjwt|expressJwt|\w{0,20}Jwt\w{0,12}|\w{0,20}JWT\w{0,12}|parse\w{0,16}|Strategy|JwtStrategy|signAsync|verifyAsync|new|NewWithClaims|setProtectedHeader)$/i;
/** The third argument of `decode` that skips the signature check: jwt-simple's noVerify, ruby-jwt's verify. */
const LEFT_OUT: Partial<Record<Language, string>> = { javascript: "true", ruby: "false" };
const JWT = /jwt|jose|jws|token/i;

/** Finds tokens whose signature is `none` or is not verified. */
export function* unsignedTokens(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(READERS)) {
    const path = fragment.names.resolve(call.path);
    if (!JWT.test(path) && call.path !== "Algorithm.none") continue;
    if (/^Algorithm\.none$/.test(call.path)) yield seenCall(fragment, call, { message: UNSIGNED });
    for (const { name, at, value } of optionsOf(fragment, call.args)) {
      const off =
        /^(?:verify|verify_signature|complete_verify)$/.test(name) &&
        /^(?:false|False)$/.test(fragment.text(value.from));
      if (off) yield seenOption(fragment, at, { message: "The token's signature is not verified." });
      if (/^options$/.test(name)) yield* insideOptions(fragment, call, value);
    }
    if (
      call.name === "decode" &&
      call.args[2] &&
      fragment.text(call.args[2].from) === LEFT_OUT[fragment.language]
    ) {
      yield seenCall(fragment, call, { message: "The token's signature is not verified." });
    }
    for (const { from, to } of call.args) {
      for (let index = from; index < to; index++) {
        const token = fragment.tokens[index];
        const none = token?.kind === "string" && /^none$/i.test(token.text);
        if (none || (/^(?:None)$/.test(token?.text ?? "") && fragment.text(index - 2) === "JWK")) {
          yield seenCall(fragment, call, { message: UNSIGNED, severity: "error" });
          index = to;
        }
      }
    }
  }
  yield* constants(fragment);
  yield* readOnly(fragment);
  if (fragment.language === "java") yield* ofJava(fragment);
}

const BUILT = /^compact$/;
const SIGNING = /^(?:sign|encrypt)With$/;
const DECODED = /^decode$/;

/** Finds tokens of Java libraries that are created without a signature, or read and never verified. */
function* ofJava(fragment: Fragment): Iterable<Sighting> {
  const signed = new Set(fragment.callsOf(SIGNING).map(({ start }) => fragment.text(start)));
  for (const call of fragment.callsOf(BUILT)) {
    const path = receiverPath(fragment, call.path, call.start);
    if (!/^Jwts\.builder\(\)/.test(path) || /sign|encrypt/i.test(path)) continue;
    if (!/\bJwts\./.test(call.path) && isSignedElsewhere(fragment, call, signed)) continue;
    yield seenCall(fragment, call, { message: UNSIGNED });
  }
  for (const call of fragment.callsNamed("parse")) {
    if (!/^Jwts\.parser(?:Builder)?\(\)/.test(receiverPath(fragment, call.path, call.start))) continue;
    yield seenCall(fragment, call, {
      message: "parse() takes a token without a signature, too; parseSignedClaims() does not.",
    });
  }
  if (fragment.callsNamed("verify").length > 0) return;
  for (const call of fragment.callsOf(DECODED)) {
    if (!/(?:^|\.)JWT\.decode$/.test(call.path)) continue;
    yield seenCall(fragment, call, {
      message: "JWT.decode() reads a token and does not verify its signature.",
    });
  }
}

/** Whether a builder is signed in a separate call, or may be signed in another function. */
function isSignedElsewhere(fragment: Fragment, { start }: Call, signed: ReadonlySet<string>): boolean {
  const builder = fragment.text(start);
  const made = fragment.names.definition(builder, start);
  if (!made || fragment.names.functionAt(made.at) !== fragment.names.functionAt(start)) return true;
  return signed.has(builder);
}

/** Where an option turns verification off, in order: `"verify_signature": False`. */
const unverified = oncePerFragment((fragment: Fragment) =>
  [...(fragment.words.get("verify_signature") ?? []), ...fragment.stringsLike(/^verify_signature$/)]
    .filter((index) => /^(?:False|false)$/.test(fragment.text(index + 2)))
    .sort((left, right) => left - right),
);

/** `options={"verify_signature": False}`, or by a name that holds them */
function* insideOptions(fragment: Fragment, call: Call, value: Range): Iterable<Sighting> {
  const isNamed = value.to === value.from + 1 && fragment.isWord(value.from);
  const held = isNamed ? fragment.names.definition(fragment.text(value.from), value.from) : undefined;
  const { from, to } = held?.kind === "assign" ? held.value : value;
  const all = unverified(fragment);
  const index = all[firstIndex(all, (each) => each >= from)];
  if (index === undefined || index >= to) return;
  const more = { message: "The token's signature is not verified." };
  yield held ? seenCall(fragment, call, more) : seenOption(fragment, index, more);
}

const READING = /^(?:decode|decodeJwt|jwtDecode|ReadJwtToken|ReadToken|ReadJsonWebToken)$/;
const READER = /\b(?:jsonwebtoken|jose|jwt-decode|jwt)\b|(?:Jwt(?:Security)?|JsonWeb)TokenHandler/;
const VERIFYING = /^(?:verify|jwtVerify|verifyAsync|jwtDecrypt|ValidateToken(?:Async)?)$/;

/** Finds tokens of a request whose claims are read in a file that verifies none: `jwt.decode(req.cookies.token)`. */
function* readOnly(fragment: Fragment): Iterable<Sighting> {
  if (fragment.language !== "javascript" && fragment.language !== "csharp") return;
  const reads = fragment.callsOf(READING);
  if (reads.length === 0 || fragment.callsOf(VERIFYING).length > 0) return;
  for (const call of reads) {
    const [token] = call.args;
    if (!token || !READER.test(receiverPath(fragment, call.path, call.start))) continue;
    if (provenanceOf(fragment, "code").of(token) < LEVEL.request) continue;
    const message = `${call.name}() reads a token and does not verify its signature.`;
    yield seenCall(fragment, call, { message });
  }
}

const CONSTANTS =
  /^(?:SigningMethodNone|UnsafeAllowNoneSignatureType|parseUnverified|ParseUnverified|insecure_decode|get_unverified_claims|unverified_claims|decodeUnverified|dangerous_insecure_decode|insecure_disable_signature_validation|RequireSignedTokens|ValidateIssuerSigningKey|NONE|None)$/;

function* constants(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(CONSTANTS)) {
    const text = fragment.text(index);
    const after = fragment.text(index + 2);
    const none =
      /^none$/i.test(text) && !/^(?:SignatureAlgorithm|SecurityAlgorithms)$/.test(fragment.text(index - 2));
    const kept = /^(?:RequireSignedTokens|ValidateIssuerSigningKey)$/.test(text) && after !== "false";
    if (!none && !kept) yield seenAt(fragment, [index], { message: UNSIGNED });
  }
}
