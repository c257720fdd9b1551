import type { Severity } from "../finding.ts";
import { CERTIFICATE, HOST, HOST_KEY, OLD, REVOKED } from "./messages.ts";
import { switchOf } from "./switch-names.ts";

/** A setting that turns verification off: its name, and the values that do so. */
interface Switch {
  name: RegExp;
  value: RegExp;
  message: string;
}

const NO =
  /^(?:false|no|0|0l|nil|null|off|none|never|pr_false|__return_false|gnutls_no|cert_none|opt_x_tls_never|curlusessl_none)$/i;
const YES = /^(?:true|yes|1|1l|on|all|pr_true|\*)$/i;

const off = (names: string, message: string): Switch => ({
  name: new RegExp(`^(?:${names})$`),
  value: NO,
  message,
});
const on = (names: string, message: string): Switch => ({
  name: new RegExp(`^(?:${names})$`),
  value: YES,
  message,
});

/** Settings that `switchOf` does not recognise by the words of their names. */
export const SWITCHES: readonly Switch[] = [
  off(
    "rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY|PERL_LWP_SSL_VERIFY_HOSTNAME|https_ssl_verify|sslverify|cert_reqs|ssl_cert_reqs|tls_require_cert|TLS_REQCERT|OPT_X_TLS_REQUIRE_CERT|enableServerCertAuth|webSecurity|ssl_verifystatus|CURLOPT_SSL_VERIFYSTATUS|SSL_VERIFYPEER|openssl_verify_mode|ssl_verify_mode",
    CERTIFICATE,
  ),
  off(
    "assert_hostname|sslEndpointIdentification|CURLOPT_(?:PROXY_|DOH_)?SSL_VERIFYHOST|SSL_VERIFYHOST|checkServerIdentity",
    HOST,
  ),
  // The value 1 only checked that a name was present, and has no effect since curl 7.66.
  { name: /^CURLOPT_(?:PROXY_|DOH_)?SSL_VERIFYHOST$/, value: /^(?:1|1L|true|TRUE)$/, message: HOST },
  {
    name: /^(?:endpointIdentificationAlgorithm|setEndpointIdentificationAlgorithm|setHostnameVerificationAlgorithm|ssl\.endpoint\.identification\.algorithm)$/,
    value: /^(?:|null|none|NONE)$/,
    message: HOST,
  },
  on(
    "NSAllowsArbitraryLoads|NSExceptionAllowsInsecureHTTPLoads|kCFStreamSSLAllowsAnyRoot|kCFStreamSSLAllowsExpired(?:Certificates|Roots)|mail\\.smtps?\\.ssl\\.trust|setTrustAll|trustAll|kSSLSessionOptionBreakOnServerAuth|SSL_ENABLE_SSL[23]|GIT_SSL_NO_VERIFY",
    CERTIFICATE,
  ),
  off("kCFStreamSSLValidatesCertificateChain", CERTIFICATE),
  off("(?:setV|v)alidatesDomainName", HOST),
  {
    name: /^CURLOPT_SSLVERSION$/,
    value: /^[2-5]$/,
    message: OLD,
  },
  off(
    "CheckCertificateRevocation(?:List)?|checkCertificateRevocationList|com\\.sun\\.net\\.ssl\\.checkRevocation|checkRevocation|setRevocationEnabled",
    REVOKED,
  ),
  off("verify_host_key|StrictHostKeyChecking|paranoid|known_hosts|strict_host_key_checking", HOST_KEY),
  on(
    "Switch\\.System\\.Net\\.DontEnable(?:SchUseStrongCrypto|SystemDefaultTlsVersions)",
    "Broken versions of TLS are kept.",
  ),
];

/** Returns the message for what a setting turns off, or undefined if verification stays on. */
export function switchedOff(name: string, value: string): string | undefined {
  const known = SWITCHES.filter((each) => each.name.test(name));
  if (known.length > 0) return known.find((each) => each.value.test(value))?.message;
  const kind = switchOf(name);
  const given = kind === "verifying" ? NO : YES;
  if (!kind || !given.test(value)) return undefined;
  return /host|domain|identity/i.test(name) && !/certificate/i.test(name) ? HOST : CERTIFICATE;
}

/** Prefilter of names that may be such a setting. */
export const SWITCH_LIKE =
  /ssl|tls|https|cert|verif|validat|hostname|domainname|host_?key|known_hosts|paranoid|unauthorized|insecure|identi|revocation|securit|arbitraryloads|allowsanyroot|allowsexpired|trustall|breakonserverauth|self_?signed|smtps?\.ssl|dontenable|peer/i;

/** Settings that count only in calls of HTTP clients: `verify=False`. */
export const HTTP_VERIFY: Switch = off("verify|ssl|secure_verify|use_ssl|validate_cert", CERTIFICATE);
export const HTTP_CLIENT =
  /^(?:requests|httpx|session|client|aiohttp|s|http|api|HTTParty|Faraday|RestClient|HTTP|guzzle|\$client|\$this\.client|\$http|Http|Excon|Typhoeus|hvac|boto3|GuzzleHttp|elasticsearch|consul|docker)\b|Client$|Session$|Connector$|^(?:get|post|put|delete|request)$/i;

/** Constants, types and calls whose presence is the fault. */
export const FORBIDDEN_NAMES: readonly { name: RegExp; message: string; severity?: Severity }[] = [
  {
    name: /^DefaultHttpClient$/,
    message: "DefaultHttpClient knows no version of TLS after 1.0; take HttpClientBuilder.",
    severity: "info",
  },
  {
    name: /^(?:(?:\w{0,12}_)?SSL_VERIFY_(?:NONE|OPTIONAL)|VERIFY_NONE|CERT_NONE|CERT_OPTIONAL|SSLVERIFYNONE|SslVerifyNone|TLS_VERIFY_NONE|VerifyNone|QueryPeer|NO_VERIFY|CURLUSESSL_(?:NONE|TRY)|GNUTLS_VERIFY_(?:DISABLE_\w{2,40}|ALLOW_(?:SIGN_RSA_MD[25]|SIGN_WITH_SHA1|BROKEN|ANY_X509_V1_CA_CRT))|s2n_config_disable_x509_verification|ignoreSslErrors|DANGER_ACCEPT_\w{5,20}|OPT_X_TLS_(?:NEVER|ALLOW)|DisabledTrustEvaluator|disableEvaluation|withoutVerifying|disableTLSCerts)$/,
    message: CERTIFICATE,
  },
  {
    name: /^_create_unverified_context$|^_create_stdlib_context$|^disable_warnings$|^InsecureRequestWarning$|^(?:useR|r)elaxedHTTPSValidation$/,
    message: CERTIFICATE,
  },
  {
    name: /^(?:SSL_OP_(?:LEGACY_SERVER_CONNECT|ALLOW_UNSAFE_LEGACY_RENEGOTIATION)|OP_LEGACY_SERVER_CONNECT)$/,
    message: "Renegotiation without RFC 5746 lets others put text before a connection's own.",
  },
  {
    name: /^(?:ALLOW_ALL_HOSTNAME_VERIFIER|(?:AllowAll|Noop|NoOp|Null|No|AcceptAll|TrustAll|Insecure|AlwaysTrue|Dummy)Host[nN]ameVerifier|HostnameVerifierAlwaysTrue)$/,
    message: HOST,
  },
  {
    name: /^(?:TrustAllStrategy|TrustSelfSignedStrategy|InsecureTrustManagerFactory|(?:TrustAll|TrustEverything|Null|AllTrust|AcceptAll|Insecure|Dummy|Naive|Unsafe|Permissive|FakeX509|AllTrusting|TrustAny)(?:X509)?(?:Extended)?TrustManager|TrustAll(?:Certificates|Manager|Certs)|AllTrustManager|DangerousAcceptAnyServerCertificateValidator|NoVerifier|(?:No|Skip|Dummy|AcceptAny|Accept(?:All|Invalid)\w{0,6})(?:Server)?(?:Cert(?:ificate)?)?Verif(?:ication|ier)|dangerous_configuration)$/,
    message: CERTIFICATE,
  },
  {
    name: /^(?:SECURITY_FLAG_IGNORE_\w{3,40}|INTERNET_FLAG_IGNORE_(?:CERT_\w{2,20}|REDIRECT_TO_HTTPS?)|INTERNET_OPTION_IGNORE_OFFLINE_CERT|WINHTTP_DISABLE_CERT\w{0,30}|CERT_CHAIN_POLICY_IGNORE_\w{3,60}|CERT_CHAIN_POLICY_ALLOW_(?:UNKNOWN_CA|TESTROOT)_FLAG|CERT_TRUST_IGNORE\w{0,30}|SCH_CRED_MANUAL_CRED_VALIDATION|SCH_CRED_IGNORE_\w{5,40}|SCH_CRED_NO_SERVERNAME_CHECK|CURLSSLOPT_NO_REVOKE)$/,
    message: CERTIFICATE,
  },
  {
    name: /^(?:setAllowsAnyHTTPSCertificate|allowsAnyHTTPSCertificateForHost|continueWithoutCredentialForAuthenticationChallenge|IgnorableServerCertificateErrors)$/,
    message: CERTIFICATE,
  },
  {
    name: /^(?:PromiscuousVerifier|AcceptAllServerKeyVerifier|AcceptAllHostKeyVerifier)$/,
    message: HOST_KEY,
  },
  {
    name: /^AutoAddPolicy$|^WarningPolicy$|^MissingHostKeyPolicy$/,
    message: "Unknown host keys are taken without a question.",
  },
  {
    name: /^(?:WithInsecure|createInsecure|insecure_channel|InsecureChannelCredentials)$/,
    message: "The connection is neither encrypted nor authenticated.",
    severity: "info",
  },
  {
    name: /^SOAP_SSL_METHOD_SSLv\w{1,3}$/,
    message: "SSL is broken; TLS 1.2 is the least (RFC 8996).",
  },
];

/** Members that are the fault only behind their owner. */
export const MEMBER_NAMES: readonly { owner: RegExp; name: RegExp; message: string }[] = [
  { owner: /^X509CertificateValidationMode$/, name: /^(?:None|PeerTrust|Custom)$/, message: CERTIFICATE },
  {
    owner: /^X509RevocationMode$/,
    name: /^NoCheck$/,
    message: REVOKED,
  },
  { owner: /^(?:SslVerifyMode|VerifyMode|SSLVerifyMode)$/, name: /^(?:NONE|None)$/, message: CERTIFICATE },
  {
    owner: /^X509VerificationFlags$/,
    name: /^(?:AllFlags|Ignore\w{4,40}|AllowUnknownCertificateAuthority)$/,
    message: CERTIFICATE,
  },
  { owner: /^(?:ssl|context)$/, name: /^verify_none$/, message: CERTIFICATE },
  {
    owner: /^insecure$/,
    name: /^NewCredentials$/,
    message: "The connection is not encrypted, and nobody knows who is at its other end.",
  },
  { owner: /^(?:go|x|crypto)?ssh$/, name: /^InsecureIgnoreHostKey$/, message: HOST_KEY },
  { owner: /^SSLCertificateSocketFactory$/, name: /^getInsecure$/, message: CERTIFICATE },
  {
    owner: /^ChainValidationResult$/,
    name: /^(?:Untrusted|InvalidName|Expired|IncompleteChain)$/,
    message: CERTIFICATE,
  },
  {
    owner: /^QSsl$/,
    name: /^(?:AnyProtocol|UnknownProtocol|TlsV1_0OrLater|TlsV1_1OrLater)$/,
    message: "Broken versions of TLS are admitted; TLS 1.2 is the least (RFC 8996).",
  },
  { owner: /^SslPolicyErrors$/, name: /^(?:RemoteCertificateNotAvailable)$/, message: CERTIFICATE },
];
