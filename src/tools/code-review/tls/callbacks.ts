import type { Sighting } from "../finding.ts";
import type { Token } from "../lexer/token.ts";
import { seenAt } from "../rules/sightings/sightings.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { FunctionScope } from "../syntax/functions/functions.ts";

const MESSAGE = "Whoever answers is believed: the check of the server's certificate always says yes.";
/** Callbacks that verify a certificate or its host name. */
const JUDGES =
  /^(?:ServerCertificateValidationCallback|ServerCertificateCustomValidationCallback|RemoteCertificateValidationCallback|ServerCertificateValidationHandler|setHostnameVerifier|hostnameVerifier|setDefaultHostnameVerifier|checkServerIdentity|hostVerifier|badCertificateCallback|set_verify_callback|SslVerificationCallback|UserCertificateValidationCallback|CertificateValidationCallback|RemoteCertificateValidator|verifyCallback|VerifyPeerCertificate|HostKeyCallback|loadTrustMaterial|SslStream|HostnameVerifier)$/;
const TYPE = "HostnameVerifier";
const JUDGING_METHODS =
  /^(?:checkServerTrusted|checkClientTrusted|verify|onReceivedSslError|CheckValidationResult|isTrusted|getAcceptedIssuers)$/;

/** Returns the function that is the value of a word, if there is one. */
function functionNear({ names, tokens }: Fragment, word: number): FunctionScope | undefined {
  const near: FunctionScope[] = [];
  for (let start = word + 1; start <= word + 8 && !endsValue(tokens[start]); start++) {
    const scope = names.functionsByStart.get(start);
    if (scope && scope.body.from < word + 60) near.push(scope);
  }
  return near.sort((a, b) => a.body.from - b.body.from)[0];
}

/** Whether a token ends the value of a word. */
function endsValue(token: Token | undefined): boolean {
  return token?.text === ";" || (token?.text === "}" && token.kind === "close");
}

/** Finds functions that verify certificates and never reject one. */
export function* agreeingCallbacks(fragment: Fragment): Iterable<Sighting> {
  const { tokens, names } = fragment;
  for (const index of fragment.wordsLike(JUDGES)) {
    if (fragment.text(index) === TYPE && !isOneMade(fragment, index)) continue;
    const lambda = functionNear(fragment, index);
    if (lambda && alwaysAgrees(fragment, lambda.body.from, lambda.body.to)) {
      yield seenAt(fragment, [index, lambda.start, lambda.body.from], {
        message: MESSAGE,
        severity: "error",
      });
    } else if (isDelegate(fragment, index) || agreesBehind(fragment, index))
      yield seenAt(fragment, [index], { message: MESSAGE, severity: "error" });
  }
  if (fragment.wordsLike(JUDGING_METHODS).length === 0) return;
  for (const { name, start, body, parameters } of names.functions) {
    if (!name || !JUDGING_METHODS.test(name) || fragment.text(body.to) !== "}") continue;
    if (
      name === "verify" &&
      (parameters.length !== 2 || !tokens.slice(start, body.from).some(({ text }) => /SSLSession/.test(text)))
    )
      continue;
    const proceeds =
      name === "onReceivedSslError" &&
      tokens.slice(body.from, body.to).some(({ text }) => text === "proceed");
    const agrees = /^check(?:Server|Client)Trusted$/.test(name)
      ? isEmpty(fragment, body.from, body.to)
      : name === "getAcceptedIssuers"
        ? fragment.text(body.from + 1) === "null"
        : alwaysAgrees(fragment, body.from, body.to);
    if (!proceeds && !(agrees && name !== "onReceivedSslError")) continue;
    const [at = start] = fragment.usesIn(name, { from: start, to: body.from });
    yield seenAt(fragment, [annotationOf(fragment, start), at, body.from - 1], {
      message: MESSAGE,
      severity: "error",
    });
  }
}

/**
 * Whether a verifier is created, not just named as a parameter's type or a base class:
 * `HostnameVerifier any = (host, session) -> true`, `HostnameVerifier { _, _ -> true }`.
 */
function isOneMade(fragment: Fragment, at: number): boolean {
  return fragment.text(at + 1) === "{" || (fragment.isWord(at + 1) && fragment.text(at + 2) === "=");
}

/** Returns the start of a method, including an annotation such as `@Override` above it. */
function annotationOf(fragment: Fragment, start: number): number {
  return fragment.text(start - 2) === "@" ? start - 2 : start;
}

function isEmpty(fragment: Fragment, from: number, to: number): boolean {
  return to <= from || (to - from <= 2 && /^(?:return|;)$/.test(fragment.text(from)));
}

/** Whether a body does nothing but accept: `true`, `return true;`, `{}`, `undefined`, `null`. */
function alwaysAgrees(fragment: Fragment, from: number, to: number): boolean {
  // If the hunk ends here, the body is unknown.
  if (from >= fragment.tokens.length || to - from > 4) return false;
  const text = fragment.texts({ from, to }).join(" ").replace(/ ?;$/, "");
  return /^(?:(?:return )?(?:true|undefined|null|nil|void 0|None|YES)|return|)$/.test(text);
}

const FARTHEST = 60;

/** Whether a lambda that `Names` does not list as a function always accepts: `{ _, _ -> true }`, `(a, b) => true`. */
function agreesBehind({ tokens }: Fragment, index: number): boolean {
  for (let at = index + 1; at < Math.min(tokens.length, index + FARTHEST); at++) {
    const text = tokens[at]?.text;
    if (endsValue(tokens[at])) return false;
    if (text !== "=>" && text !== "->") continue;
    return tokens[at + 1]?.text === "true" && /^(?:[;,)}]|)$/.test(tokens[at + 2]?.text ?? "");
  }
  return false;
}

/** `delegate { return true; }` */
function isDelegate(fragment: Fragment, index: number): boolean {
  for (let at = index + 1; at < index + 8; at++) {
    if (fragment.text(at) !== "delegate") continue;
    for (let open = at + 1; open < at + 40; open++) {
      const token = fragment.tokens[open];
      if (token?.text === "(" && token.partner > 0) open = token.partner;
      else if (token?.text === "{" && token.partner > 0)
        return alwaysAgrees(fragment, open + 1, token.partner);
    }
  }
  return false;
}
