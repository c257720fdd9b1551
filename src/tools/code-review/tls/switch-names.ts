import { wordsOf } from "../syntax/words.ts";

/** Words for what a setting verifies. */
const SUBJECT =
  /^(?:ssl|tls|https)|(?:ssl|tls|https|certs?|certificates?|certificatechain|certificaterevocation(?:list)?|revocation|cas?|x509|peer|peername|host|hostnames?|domainname|hostkeys?|serveridentity|servertrust|identity)$/;
const VERIFYING =
  /^(?:verify|verification|verifier|verifications|validate|validates|validation|check|checks|strict|authenticate|evaluate|enforce)$|^(?:ssl|tls)?(?:verify|validate|check|strict)(?:ssl|tls|peer|host|hostname|certs?|certificates?|peername)?$|^(?:ssl|tls)(?:verification|validation)$|^checkserveridentity$/;
const LOOSENING =
  /^(?:insecure|skip|skips|ignore|ignores|ignorable|disable|disables|no|without|bypass|danger|dangerous|dangerously|relaxed|loose|unsafe|unverified)$/;
/** Words that remove a subject rather than trust it blindly: `disableCerts`, `noHostname`. */
const LACKING = /^(?:disable|disables|no|without)$/;
const TRANSPORT = /^(?:ssl|tls|https)/;
/** `allowSelfSigned`, `acceptAnyCertificate`, `trustServerCertificate` */
const ADMITTING = /^(?:allow|allows|accept|accepts|trust|trusts)$/;
const STRANGERS =
  /^(?:any|all|every|invalid|self|selfsigned|untrusted|expired|insecure|unverified|unsafe|unauthorized|server|bad|arbitrary|broken)$/;
/** Words in names that report a check instead of requesting one. */
const REPORT =
  /^(?:verified|validated|checked|valid|validating|verifying|checking|status|state|error|errors|failed|failure|failures|result|results|message|button|link|page|url|path|file|form|email|phone|checkbox|toggle|menu|required|supported|available|visible|loading|pending|test|tests|response|token|code|header|headers|label|title|icon|count|expiry|expired|expires|expiration|callback|port|depth|version|id)$/;

/**
 * Classifies a setting by its name: a `verifying` one must not be off, a `loosening` one must not be on. Libraries
 * build such names from the same few words, so they are read word by word.
 */
export function switchOf(name: string): "verifying" | "loosening" | undefined {
  if (name.length > 80) return undefined;
  const words = wordsOf(name);
  if (words.length > 8) return undefined;
  const verifying = words.some((word) => VERIFYING.test(word));
  const compound = words.some((word) => VERIFYING.test(word) && SUBJECT.test(word));
  const subject = compound || words.some((word) => SUBJECT.test(word) && !VERIFYING.test(word));
  const admitting = words.some((word) => ADMITTING.test(word)) && words.some((word) => STRANGERS.test(word));
  const loosening = admitting || words.some((word) => LOOSENING.test(word));
  if (words.some((word) => REPORT.test(word) && !(loosening && /^(?:expired|errors)$/.test(word)))) {
    return undefined;
  }
  if (loosening && (/skip_?(?:tls_?|ssl_?)?verify$|no_?verify$/i.test(name) || admitsSelfSigned(words)))
    return "loosening";
  // `httpsCheck` is about the scheme of an address.
  if (/^(?:https checks?|checks? https)$/.test(words.join(" "))) return undefined;
  if (!subject) return undefined;
  if (!loosening) return verifying ? "verifying" : undefined;
  const vague =
    !verifying && !admitting && (WEAK_SUBJECT.test(subjectOf(words)) || isOfSomeCertificates(words));
  return vague ? undefined : "loosening";
}

/** Whether a setting only drops certificates, all (`disableCerts`) or some (`ignoreLoadedCerts`), and trusts none. */
function isOfSomeCertificates(words: readonly string[]): boolean {
  if (words.some((word) => TRANSPORT.test(word) || STRANGERS.test(word) || /^errors?$/.test(word)))
    return false;
  const looseners = words.filter((word) => LOOSENING.test(word));
  if (looseners.every((word) => LACKING.test(word))) return true;
  const isBeside = (at: number) => SUBJECT.test(words[at - 1] ?? "") || SUBJECT.test(words[at + 1] ?? "");
  return !words.some((word, at) => LOOSENING.test(word) && isBeside(at));
}

function admitsSelfSigned(words: readonly string[]): boolean {
  return words.some((word) => ADMITTING.test(word)) && /self ?signed/.test(words.join(" "));
}

/** Subjects that need a verifying word beside them: `skipHost` can be about anything. */
const WEAK_SUBJECT = /^(?:hosts?|peer|cas?|domainname|identity)$/;

function subjectOf(words: readonly string[]): string {
  return words.filter((word) => SUBJECT.test(word)).join(" ");
}
