import type { Rule, Sighting } from "../finding.ts";
import { PROGRAMS } from "../language/language.ts";
import { enclosingBracket } from "../syntax/brackets.ts";
import { pathBefore } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { ADDRESS_LIKE, ADDRESSES } from "../tls/addresses.ts";
import { agreeingCallbacks } from "../tls/callbacks.ts";
import { isComparedLater } from "../tls/compared.ts";
import { mailSessions } from "../tls/mail.ts";
import { OLD_NUMBERS, oldProtocolIn, protocolFault } from "../tls/protocols.ts";
import {
  FORBIDDEN_NAMES,
  HTTP_CLIENT,
  HTTP_VERIFY,
  MEMBER_NAMES,
  SWITCH_LIKE,
  switchedOff,
} from "../tls/switches.ts";
import { transportInText } from "../tls/text.ts";
import { seenAt, seenCall, seenOption } from "./sightings/sightings.ts";
import { isCalled } from "./sightings/sinks.ts";

/** Prefilter of words that may name a version. */
const VERSION_LIKE = /ssl|tls|SP_PROT/i;
const OLD = "is broken; TLS 1.2 is the least (RFC 8996).";
/** Files that are read line by line. */
const TEXTS = new Set(["shell", "yaml", "dockerfile", "markup", "text"]);

const SETTINGS = /\.(?:tf|tfvars|hcl)$/;

export const tlsVerificationDisabled: Rule = {
  id: "tls-verification-disabled",
  category: "security",
  severity: "warning",
  cwe: 295,
  languages: [...PROGRAMS, "shell", "yaml", "dockerfile", "markup", "other", "text"],
  message: "A connection is made without knowing who is at its other end.",
  suggestion:
    "Leave verification on, add the certificate authority to the trusted ones, and let TLS 1.2 or newer be negotiated.",
  *check(fragment) {
    if (TEXTS.has(fragment.language) || SETTINGS.test(fragment.path)) return yield* transportInText(fragment);
    yield* switches(fragment);
    yield* httpClients(fragment);
    yield* names(fragment);
    yield* protocols(fragment);
    yield* incompleteOptions(fragment);
    yield* agreeingCallbacks(fragment);
    if (fragment.language === "python") yield* wrappedSockets(fragment);
    if (fragment.language === "java") yield* mailSessions(fragment);
    yield* addresses(fragment);
  },
};

/** `rejectUnauthorized: false`, `InsecureSkipVerify = true`, `ENV["X"] = 0`, `setopt(OPTION, 0)`. */
function* switches(fragment: Fragment): Iterable<Sighting> {
  for (const index of [...fragment.wordsLike(SWITCH_LIKE), ...fragment.stringsLike(SWITCH_LIKE)]) {
    const given = valueBehind(fragment, index) ?? valueBefore(fragment, index);
    if (given === undefined) continue;
    const name = fragment.text(index);
    // An option of Net::SSH. Elsewhere it is a mode of deleting rows.
    if (name === "paranoid" && fragment.language !== "ruby") continue;
    const message = switchedOff(name, given);
    if (!message) continue;
    // A builder is reported at the start of its chain.
    const called = fragment.text(index + 1) === "(" && MEMBER.has(fragment.text(index - 1));
    const { start } = pathBefore(fragment, index);
    if (called && fragment.language === "rust") yield seenAt(fragment, [start, index], { message });
    else yield seenOption(fragment, index, { message });
  }
}

/** `setObject:@NO forKey:name` */
function valueBefore(fragment: Fragment, index: number): string | undefined {
  for (let at = index - 1; at > index - 8; at--) {
    if (fragment.text(at) !== "forKey") continue;
    const value = fragment.text(at - 1) === "]" ? fragment.text(at - 2) : fragment.text(at - 1);
    return value.replace(/^@/, "");
  }
  return undefined;
}

function valueBehind(fragment: Fragment, index: number): string | undefined {
  let at = index + 1;
  if (fragment.text(at) === "]" || fragment.text(at) === ")" || fragment.text(at) === "}") at++;
  const mark = fragment.text(at);
  if (!/^(?:=|:|=>|:=|,|\(|\?|\{)$/.test(mark)) return undefined;
  // `VerifySsl{false}` holds a value; `verifySsl { …` is a block.
  if (mark === "{" && fragment.text(at + 2) !== "}") return undefined;
  if (mark === "?" && fragment.text(at + 1) !== ":") return undefined;
  at += mark === "?" ? 2 : 1;
  // Ruby's symbols
  if (fragment.text(at) === ":") return fragment.text(at + 1);
  if (/^[!@]$/.test(fragment.text(at))) {
    return fragment.text(at) === "@" ? fragment.text(at + 1) : negated(fragment.text(at + 1));
  }
  let value = fragment.tokens[at];
  // `ssl.CERT_NONE`, `Bool::False`
  while (value?.kind === "word" && MEMBER.has(fragment.text(at + 1)) && fragment.isWord(at + 2)) {
    at += 2;
    value = fragment.tokens[at];
  }
  // In a list of arguments, a null does not turn the option off: `set_verify(SSL_VERIFY_PEER, NULL)`.
  if (mark === "," && /^(?:null|nil|none)$/i.test(value?.text ?? "") && value?.kind === "word")
    return undefined;
  return value?.kind === "open" && value.text === "{" ? undefined : value?.text;
}

/** Minifiers write `!1` for false. */
function negated(value: string): string | undefined {
  return value === "1" ? "false" : value === "0" ? "true" : undefined;
}

/** `requests.get(url, verify=False)`, `session.verify = False` */
function* httpClients(fragment: Fragment): Iterable<Sighting> {
  for (const index of [...fragment.wordsLike(HTTP_VERIFY.name), ...fragment.stringsLike(HTTP_VERIFY.name)]) {
    const given = valueBehind(fragment, index);
    if (given === undefined || !HTTP_VERIFY.value.test(given)) continue;
    if (fragment.text(index) === "ssl" && fragment.language !== "python") continue;
    const member =
      fragment.text(index) === "verify" &&
      fragment.text(index - 1) === "." &&
      fragment.text(index + 1) === "=";
    const call = fragment.callAround(index);
    if (member || isSpread(fragment, index))
      yield seenAt(fragment, [index], { message: HTTP_VERIFY.message });
    else if (call && isCalled(fragment, call, HTTP_CLIENT))
      yield seenCall(fragment, call, { message: HTTP_VERIFY.message });
  }
}

/** Maximum tokens between a brace and a key in it, and maximum uses of a name that are searched for a call. */
const [MAX_MEMBERS, MAX_USES] = [60, 20];

/** Whether a key is in an object that a call spreads: `options = {"verify": False}`, `requests.get(url, **options)`. */
function isSpread(fragment: Fragment, index: number): boolean {
  if (fragment.language !== "python" || !fragment.isString(index)) return false;
  let open = index - 1;
  while (open > index - MAX_MEMBERS && fragment.text(open) !== "{") open--;
  if (fragment.text(open) !== "{" || fragment.text(open - 1) !== "=") return false;
  const uses = fragment.words.get(fragment.text(open - 2)) ?? [];
  return uses.slice(0, MAX_USES).some((at) => {
    const call = fragment.text(at - 1) === "**" ? fragment.callAround(at) : undefined;
    return call !== undefined && isCalled(fragment, call, HTTP_CLIENT);
  });
}

function* names(fragment: Fragment): Iterable<Sighting> {
  for (const { name, message, severity } of FORBIDDEN_NAMES) {
    for (const index of fragment.wordsLike(name)) {
      if (isMeant(fragment, index))
        yield seenAt(fragment, [index], { message, ...(severity && { severity }) });
    }
  }
  for (const { owner, name, message } of MEMBER_NAMES) {
    for (const index of fragment.wordsLike(owner)) {
      const member = index + 2;
      if (!MEMBER.has(fragment.text(index + 1)) || !name.test(fragment.text(member))) continue;
      if (isMeant(fragment, member)) yield seenAt(fragment, [member], { message });
    }
  }
}

/** Whether a name is used, and not just declared, imported or compared. */
function isMeant(fragment: Fragment, index: number): boolean {
  // The constant is never called: `goleak.VerifyNone(t)` looks for goroutines.
  if (fragment.text(index) === "VerifyNone" && fragment.text(index + 1) === "(") return false;
  if (/^(?:import|class|interface|using)$/.test(fragment.text(index - 1)) || isImport(fragment, index))
    return false;
  return ![index - 3, index - 1, index + 1].some((at) => /^(?:==|!=|===|!==)$/.test(fragment.text(at)));
}

function isImport(fragment: Fragment, index: number): boolean {
  const line = fragment.lines[fragment.lineOf(index)]?.text ?? "";
  return /^\s{0,20}(?:import|from|using|use|#include|require)\b/.test(line);
}

/** Finds connection strings and addresses whose parameters turn verification off. */
function* addresses(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.stringsLike(ADDRESS_LIKE)) {
    for (const { form, message, severity } of ADDRESSES) {
      if (!form.test(fragment.text(index).slice(0, 2000))) continue;
      yield seenAt(fragment, [index], { message, ...(severity && { severity }) });
      break;
    }
  }
}

const WRAPPING = /^wrap_socket$/;

/** `ssl.wrap_socket` of Python, removed in 3.12, verifies no certificate by default. */
function* wrappedSockets(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(WRAPPING)) {
    const told = call.args.some(({ from }) => fragment.text(from) === "cert_reqs");
    if (told || fragment.names.resolve(call.path) !== "ssl.wrap_socket") continue;
    const message = "ssl.wrap_socket() verifies nobody; take ssl.create_default_context().wrap_socket().";
    yield seenCall(fragment, call, { message });
  }
}

const PROTOCOL_TYPES = /^(?:SecurityProtocolType|SslProtocols)$/;

/** Finds old versions, by identifier, number or string. */
function* protocols(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(VERSION_LIKE)) {
    const name = fragment.text(index);
    const fault = protocolFault(name, ownerOf(fragment, index));
    if (!fault || isImport(fragment, index) || isExcluded(fragment, index)) continue;
    if (fault === "old") yield seenOption(fragment, index, versionSighting(fragment, index, name));
    else {
      const message = `${name} keeps newer versions of TLS out; leave the choice to the library.`;
      yield seenAt(fragment, [index], { message, severity: "info" });
    }
  }
  for (const index of fragment.wordsLike(PROTOCOL_TYPES)) {
    const number = fragment.tokens[index + 2];
    if (number?.kind !== "number" || !OLD_NUMBERS.has(number.text)) continue;
    yield seenAt(fragment, [index], {
      message: `The number ${number.text} stands for a version of TLS that ${OLD}`,
    });
  }
  for (const index of fragment.stringsLike(VERSION_LIKE)) {
    const old = oldProtocolIn(fragment.text(index)) ?? sslContext(fragment, index);
    if (!old || isExcluded(fragment, index) || !isSetting(fragment, index)) continue;
    yield seenOption(fragment, index, versionSighting(fragment, index, old));
  }
}

function ownerOf(fragment: Fragment, index: number): string {
  const before = fragment.text(index - 1);
  if (MEMBER.has(before)) return fragment.text(index - 2);
  return before === ":" || before === "(" ? ownerOfSymbol(fragment, index) : "";
}

function versionSighting(fragment: Fragment, index: number, version: string) {
  // As a maximum, an old version keeps all newer ones out.
  const highest = /max/i.test(fragment.text(index - 2));
  return {
    message: highest ? `${version} is the highest version allowed here; it ${OLD}` : `${version} ${OLD}`,
  };
}

/** Ruby's `ssl_version: :TLSv1`. */
function ownerOfSymbol(fragment: Fragment, index: number): string {
  const mark = fragment.text(index - 2);
  // `SSLContext.new(:SSLv3)`
  if (mark === "(") return fragment.text(index - 5);
  return mark === ":" || mark === "=" || mark === "=>" ? fragment.text(index - 3) : "";
}

/** Java's `SSLContext.getInstance("SSL")`. */
function sslContext(fragment: Fragment, index: number): string | undefined {
  return fragment.text(index) === "SSL" && fragment.text(index - 2) === "getInstance" ? "SSL" : undefined;
}

/** Whether a string is an argument, an option or a member of a list, and not compared or a case. */
function isSetting(fragment: Fragment, index: number): boolean {
  return /^(?:=|:|=>|:=|\(|,|\[|\{|\||\?|return)$/.test(fragment.text(index - 1));
}

/** Whether a version is excluded by name, compared or tested for. */
function isExcluded(fragment: Fragment, index: number): boolean {
  const before = fragment.text(index - 1);
  const around = [index - 3, index - 2, index - 1, index + 1].map((at) => fragment.text(at)).join(" ");
  if (before === "~" || /==|!=/.test(around) || fragment.text(index - 3) === "~") return true;
  if (before === "=" && fragment.isWord(index - 2) && isComparedLater(fragment, index)) return true;
  const open = enclosingBracket(fragment, index);
  const owner =
    open === undefined
      ? ""
      : `${fragment.text(open - 1)} ${fragment.text(open - 2)} ${fragment.text(open - 3)}`;
  return /disabled|exclude|without|forbid|\bassert\w{0,20}\b|\bexpect\b|\btoBe\b|includes|indexOf|contains/i.test(
    owner,
  );
}

/** Finds lists of versions to refuse that leave some old ones in. */
function* incompleteOptions(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("secureOptions") ?? []) {
    if (fragment.text(index + 1) !== ":") continue;
    const left = new Set(["SSLv3", "TLSv1"]);
    let listed = 0;
    for (let at = index + 2; at < index + 40 && !/^[,}]$/.test(fragment.text(at)); at++) {
      const version = /^SSL_OP_NO_(\w{1,10})$/.exec(fragment.text(at))?.[1];
      if (!version) continue;
      listed++;
      left.delete(version);
    }
    if (listed === 0 || left.size === 0) continue;
    yield seenOption(fragment, index, {
      message: `The list of versions to refuse leaves ${[...left].join(" and ")} in.`,
    });
  }
}
