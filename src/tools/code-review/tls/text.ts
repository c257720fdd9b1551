import type { Severity, Sighting } from "../finding.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { CERTIFICATE, HOST_KEY, OLD } from "./messages.ts";
import { switchedOff } from "./switches.ts";

/** Commands, variables and settings in shells, images and configuration. */
const FORMS: readonly { hint: RegExp; form: RegExp; message: string; severity?: Severity }[] = [
  {
    hint: /curl/,
    form: /\bcurl\b[^|;]{0,600}?\s(?:-[a-jl-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure|--proxy-insecure)(?=\s|$|["'\\])/,
    message: CERTIFICATE,
  },
  { hint: /wget|no-check-certificate/, form: /--no-check-certificate\b/, message: CERTIFICATE },
  { hint: /sslVerify|ssl_verify/i, form: /\bhttp\.sslVerify[\s=]{1,4}["']?false\b/i, message: CERTIFICATE },
  {
    hint: /NO_VERIFY/,
    form: /\bGIT_SSL_NO_VERIFY\s{0,2}[=:\s]\s{0,2}["']?(?:1|true)\b/i,
    message: CERTIFICATE,
  },
  {
    hint: /REJECT_UNAUTHORIZED/,
    form: /\bNODE_TLS_REJECT_UNAUTHORIZED["']?\s{0,2}[=:\s]\s{0,2}["']?0\b/,
    message: CERTIFICATE,
  },
  {
    hint: /PYTHONHTTPSVERIFY/,
    form: /\bPYTHONHTTPSVERIFY\s{0,2}[=:\s]\s{0,2}["']?0\b/,
    message: CERTIFICATE,
  },
  { hint: /strict-ssl/, form: /\bstrict-ssl[\s=]{1,4}["']?false\b/, message: CERTIFICATE },
  {
    hint: /insecure|skip/i,
    // Without a value it is an option, `--insecure-skip-tls-verify`, or a line of its own; in a sentence it says nothing.
    form: /(?:insecure[_-]?skip[_-]?(?:tls[_-]?)?verify|skip[_-]?tls[_-]?verify|tls[_-]?skip[_-]?verify|tls[_-]insecure)(?:["']?\s{0,2}[:=]\s{0,2}["']?(?:true|yes|1)\b|(?<=(?:^|[\s"'])--?[\w-]{1,60})(?=[\s"']|$)|(?<=^[\s-]{0,40}[\w-]{1,30})(?=\s{0,4}$))/i,
    message: CERTIFICATE,
  },
  {
    hint: /verif|validate_?certs/i,
    form: /(?<![^\s"'{,])(?:verify_ssl|ssl_verify|validate_certs|verify_certs|tls_verify|sslverify|ssl_verification|verify-ssl|ssl-verify|verify_tls|sslVerify|validateCerts|verifySsl)["']?\s{0,2}[:=]\s{0,2}["']?(?:false|no|0|off|none)\b/i,
    message: CERTIFICATE,
  },
  {
    hint: /rejectUnauthorized|trustServerCertificate|ArbitraryLoads/i,
    form: /\brejectUnauthorized["']?\s{0,2}:\s{0,2}false\b|\bTrustServerCertificate\s{0,2}=\s{0,2}(?:true|yes)\b/i,
    message: CERTIFICATE,
  },
  {
    hint: /trusted-host/,
    form: /(?:--trusted-host|^\s{0,8}trusted-host\s{0,2}=)\s{0,2}\S/,
    message: "Packages of this host are installed without verifying who sends them.",
  },
  {
    hint: /unauthenticated/i,
    form: /--allow-unauthenticated\b|\bAllowUnauthenticated\s{0,2}["']?(?:true|1)\b/i,
    message: "Packages are installed without verifying who signed them.",
  },
  {
    hint: /nogpgcheck|gpgcheck/i,
    form: /--nogpgcheck\b|\bgpgcheck\s{0,2}=\s{0,2}0\b/,
    message: "Packages are installed without verifying who signed them.",
  },
  {
    hint: /StrictHostKeyChecking/i,
    form: /\bStrictHostKeyChecking[=\s]{1,3}["']?(?:no|off)\b/i,
    message: HOST_KEY,
  },
  {
    hint: /SkipCertificateCheck|ServerCertificateValidationCallback/i,
    form: /-SkipCertificateCheck\b|ServerCertificateValidationCallback\s{0,2}=\s{0,2}\{\s{0,4}(?:return\s{1,4})?\$?true/i,
    message: CERTIFICATE,
  },
  {
    hint: /ssl|tls/i,
    form: /\bssl_protocols\s(?:[^;#]{0,80}\s)?(?:SSLv2|SSLv3|TLSv1|TLSv1\.1)(?=[\s;]|$)|\bSSLProtocol\s(?:[^#]{0,80}\s)?\+?(?:SSLv2|SSLv3|TLSv1|TLSv1\.1)(?=\s|$)/i,
    message: OLD,
  },
  {
    hint: /ssl|tls/i,
    form: /(?<=\s)(?:--sslv[23]|--tlsv1(?:\.[01])?|-ssl[23]|-tls1(?:_1)?|--secure-protocol=(?:SSLv[23]|TLSv1|TLSv1_1))(?=\s|$|["'])/,
    message: OLD,
  },
  {
    hint: /tls|ssl/i,
    form: /\b(?:min(?:imum)?[_-]?(?:tls|ssl|protocol)?[_-]?(?:protocol[_-]?)?version|minTlsVersion|minimum_tls_version|ssl_minimum_protocol_version|tls[_-]?min[_-]?version|ssl[_-]?policy|tlsMinVersion|min_tls_version|tls_version|ssl_version|minimum_protocol_version|sslProtocol|protocols?)["']?\s{0,2}[:=]\s{0,2}["']?(?:SSLv3|SSLv2|TLSv1|TLSv1\.[01]|TLSv1_2016|TLSv1\.1_2016|TLS1_[01]|TLS_1_[01]|TLS10|TLS11|VersionTLS1[01]|1\.[01])(?=["'\s,;]|$)/i,
    message: OLD,
  },
  { hint: /SecurityProtocol/, form: /SecurityProtocolType\]?::(?:Ssl3|Tls|Tls11)(?![\w])/, message: OLD },
  {
    hint: /verif|check-certificate|disable|insecure/i,
    form: /--(?:no-verify-ssl|no-ssl-verify|disable-ssl-verification|no-verify-tls|insecure-registry|insecure-policy|tls-verify=false|tls-insecure|insecure-skip-tls-verify|ssl-no-verify|(?:check-certificate|verify(?:-ssl|-tls|-peer)?)[= ](?:false|no))\b|\bssl:verify-certificate\s{1,3}(?:no|false|off)\b/,
    message: CERTIFICATE,
  },
  {
    hint: /ssl_verify|disable-tls|strict/,
    form: /\bssl_verify\s{1,3}false\b|\bdisable-tls\s{1,3}true\b/i,
    message: CERTIFICATE,
  },
  {
    hint: /ssl/i,
    form: /\b(?:proxy|grpc|uwsgi|fastcgi)_ssl_verify\s{1,4}off\b|\bSSL(?:Proxy)?Verify(?:Client)?\s{1,4}none\b|\bssl\s{1,3}verify\s{1,3}none\b/i,
    message: CERTIFICATE,
  },
  {
    hint: /ssl/i,
    form: /\bSSLProtocol\s{1,4}all(?![^#]{0,80}-SSLv3)|\bssl-min-ver\s{1,4}(?:SSLv3|TLSv1\.[01])\b/i,
    message: OLD,
  },
  {
    hint: /ELBSecurityPolicy/,
    form: /\bELBSecurityPolicy-(?:TLS-1-[01]-|2011-|2014-|2015-|2016-08)/,
    message: OLD,
  },
  {
    hint: /certificate|revocation/i,
    form: /\b(?:certificateValidationMode="(?:None|Custom)"|revocationMode="NoCheck"|checkCertificate(?:Name|RevocationList)="false"|TrustServerCertificate=(?:true|yes)\b)/i,
    message: CERTIFICATE,
  },
  {
    hint: /NSAllows|NSException/,
    form: /<key>NS(?:AllowsArbitraryLoads\w{0,20}|ExceptionAllowsInsecureHTTPLoads)<\/key>\s{0,40}<true\s?\/>/,
    message: "The app may talk to any server in the clear.",
  },
  {
    hint: /sslmode/i,
    form: /\bsslmode["']?\s{0,2}[:=]\s{0,2}["']?(?:disable|allow)\b/i,
    message: "The connection to the database is not encrypted.",
    severity: "info",
  },
];

/** `key: value`, `key = value`, `KEY value` on a line of its own. */
const SETTING =
  /^[\s-]{0,80}(?:export\s{1,3}|ENV\s{1,3}|ARG\s{1,3})?["']?([\w.-]{4,80})["']?(?:\s{0,4}[:=]\s{0,4}|\s{1,4})["']?([\w.]{1,12})["']?,?\s{0,20}$/;

export function* transportInText(fragment: Fragment): Iterable<Sighting> {
  for (const [line, { added }] of fragment.lines.entries()) {
    const code = fragment.code(line).slice(0, 4000);
    if (
      !/curl|ssl|tls|cert|verif|trust|unauth|gpg|hostkey|NSAllows|NSException|insecure|revocation/i.test(code)
    )
      continue;
    const seen = formIn(keyWithValue(fragment, line, code)) ?? settingIn(code);
    if (!seen) continue;
    const { column, ...more } = seen;
    const places = [{ line, column }, ...(added ? [] : [{ line: line + 1, column: 0 }])];
    yield { places: places.filter((place) => place.line < fragment.lines.length), ...more };
  }
}

/** Adds the next line to a key of a property list, which has its value there. */
function keyWithValue(fragment: Fragment, line: number, code: string): string {
  return code.includes("<key>") && line + 1 < fragment.lines.length
    ? code + fragment.code(line + 1).slice(0, 200)
    : code;
}

function formIn(code: string) {
  for (const { hint, form, message, severity } of FORMS) {
    const match = hint.test(code) ? form.exec(code) : null;
    if (match) return { column: match.index, message, ...(severity && { severity }) };
  }
  return undefined;
}

function settingIn(code: string) {
  const match = SETTING.exec(code);
  const [, name = "", value = ""] = match ?? [];
  const message = match
    ? (switchedOff(name, value) ?? (/^insecure$/i.test(name) && value === "true" ? CERTIFICATE : undefined))
    : undefined;
  return message ? { column: code.indexOf(name), message } : undefined;
}
