import { wordsOf } from "../syntax/words.ts";

/** Last words of names that describe something about a secret, not the secret itself. */
const ABOUT =
  /^(?:type|url|uri|path|name|names|address|id|ids|length|size|count|field|header|prefix|suffix|label|placeholder|regex|regexp|pattern|format|column|index|kind|mode|at|expiry|expires|ttl|timeout|limit|endpoint|file|filename|dir|method|algorithm|alg|issuer|event|message|msg|error|status|hash|digest|checksum|hint|help|policy|version|scheme|schemes|scope|scopes|provider|schema|store|manager|class|input|output|selector|button|text|title|description|desc|tooltip|caption|page|route|link|code|codes|map|set|list|array|string|value|values|char|chars|characters|charset|alphabet|test|spec|attribute|attr|param|params|parameter|arn|ref|reference|region|usage|uses|max|min|info|metadata|enc|encoding|response|request|claim|claims|grant|lifetime|duration)$/;
const PUBLIC =
  /^(?:public|pub|publishable|cache|sort|primary|foreign|partition|group|object|storage|query|react|i18n|translation|locale|unique|keyboard|keyword|hot|shortcut|map|row|dictionary|lookup|dedupe|dedup|idempotency|csrf|xsrf|next|page|continuation|sync|cursor|pagination|deduplication|design|syntax|lexer|parser|keyframe|author|authors|site|recaptcha|mapbox|integrity|etag|color|theme|opaquelocktoken)$/;
const STRONG =
  /^(?:secret|secrets|token|tokens|password|passwords|passwd|passphrase|pwd|cred|creds|credential|credentials|apikey|apitoken|accesskey|secretkey|authkey|privatekey|signingkey|encryptionkey|masterkey|authtoken|accesstoken|pass|secretvalue|accessid|clientid|passwordhash)$/;
const PROVIDER =
  /^(?:sonarqube|snyk|sentry|sauce|heroku|hubspot|algolia|datadog|hockeyapp|codeclimate|sumo|sumologic|codecov|fastly|finnhub|mailchimp|mailgun|okta|rapidapi|softlayer|trello|travis|twilio|twitch|zendesk|pagerduty|bugsnag|rollbar|newrelic|launchdarkly|bitbucket|circleci|artifactory)$/;

/** Returns a name's words without the numbers at their ends: `apiToken2` → api, token. */
function partsOf(name: string): string[] {
  return wordsOf(name)
    .map((word) => word.replace(/\d{1,3}$/, ""))
    .filter((word) => word !== "");
}

export type Sensitivity = "password" | "secret" | "key" | "identifier" | "provider";

/** Returns the kind of secret that a name suggests, or undefined if it suggests none. */
export function sensitivityOf(name: string): Sensitivity | undefined {
  const words = partsOf(name);
  const last = words.at(-1) ?? "";
  const joined = words.join("");
  if (/accountkey$/.test(joined)) return "key";
  // A list of hashes that detect-secrets has seen, by which nothing can be found out.
  if (joined === "hashedsecret") return undefined;
  // The key of a header is its name.
  if (/headerkeys?$/.test(joined)) return undefined;
  // The name of a secret of Kubernetes.
  if (words[0] === "existing") return undefined;
  // The nonce of a handshake is public.
  if (/websocket(?:key|accept)$/.test(joined)) return undefined;
  if (words.some((word) => PUBLIC.test(word))) return undefined;
  if (/(?:client|access)id$/.test(joined)) return "identifier";
  if (ABOUT.test(last) && !/^(?:value|string)$/.test(last)) return undefined;
  if (words.some((word) => /^(?:password|passwords|passwd|passphrase|pwd|pw|pass)$/.test(word)))
    return "password";
  if (
    words.some((word) => STRONG.test(word)) ||
    /(?:api|access|auth|secret|private|signing|encryption|master|jwt|hmac|session|crypt\w{0,4})key$/.test(
      joined,
    )
  ) {
    return "secret";
  }
  if (/(?:token|secret|password)$/.test(last)) return last.endsWith("password") ? "password" : "secret";
  if (/^(?:key|keys|auth|credential|signature)$/.test(last) && words.length > 1) return "key";
  if (words.length <= 3 && words.some((word) => PROVIDER.test(word))) return "provider";
  return undefined;
}
