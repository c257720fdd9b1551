/** Words that mark a value as a placeholder. */
const STANDING_IN =
  /example|sample|placeholder|dummy|changeme|change[_-]me|redacted|(?<![A-Za-z0-9/+]{24})x{4}|\*{3}|\.{3}|…|•|your[_-]?|insert|replace|goes[_-]?here|[_-]here$|^enter[_-]|(?<![A-Za-z])(?:invalid|bogus|not[_-](?:real|valid))|todo|fixme|lorem|<[^>]{0,40}>|\{\{|\$\{|\$\(|%\(|%[sd@]|omitted|not[_-]?a[_-]?real|00000000-0000|deadbeef-dead|-(?=[0-9a-f]{12}$)([0-9a-f]{2})\1{5}$/i;

/** Values that everybody has: of standards, documentation and emulators. */
const PUBLISHED = new Set([
  "123e4567-e89b-12d3-a456-426614174000",
  "550e8400-e29b-41d4-a716-446655440000",
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  "Jhj5dZrVaK7ZwHHjRyZWjbDl",
]);

/** Values that are references: to the environment, to another member, to a secret store. */
const REFERENCE =
  /^(?:\$|%|#|process\.|os\.|env[.[(]|environ|config[.[]|settings\.|secrets?[.[]|vault[:.]|var\.|local\.|data\.|module\.|self\.|this\.|ssm:|arn:|urn:|opaquelocktoken:|aws[-_.]sm|keyvault|file:|http|\/\w|\.{1,2}\/|~\/|\[|\(|\{)/i;

/**
 * Signs that refer to a name, `@Model.Key`, `!Ref Key`, `&anchor`, `@/run/secrets/key`, or precede brackets. Passwords
 * begin with them too, so letters followed by digits or other signs are not taken for a name.
 */
const LEADING =
  /^(?:[@!&]{1,2}[A-Za-z_][A-Za-z_-]{0,60}(?:(?:->|::|[.:/])(?:[A-Z][A-Za-z_]{0,60}\d{1,2}(?!\w)|[A-Za-z_][A-Za-z_-]{0,60})){0,12}(?:$|\s|[([{].{0,300}[)\]}])|[@!&]{1,2}[([{"'`./~#=\s]|[@!&]{1,3}$)/;

/** Plain words that people write in place of a secret. */
const PLAIN =
  /^(?:password|passwort|passwd|pass|pwd|secret|secrets|token|key|apikey|api_key|api-key|my[-_]?\w{0,20}|test\w{0,12}|fake\w{0,20}|mock\w{0,20}|demo|none|null|nil|undefined|true|false|string|text|hidden|required|optional|admin|root|user|username|default|value|empty|unknown|foo|bar|baz|foobar|foo-bar|hello|abc123?|123456?7?8?|1234|qwerty|bearer|basic|auth|basic_auth|private|public|shared|encrypted|disabled|enabled)$/i;

/** Validation rules of a form's field, in the syntax of frameworks: `required|string|max:255`, `trim|min_length[8]`. */
const VALIDATION = /^[a-z_]{2,30}(?:[:[][^|]{0,80})?(?:\|[a-z_]{2,30}(?:[:[][^|]{0,80})?){0,20}$/;
const VALIDATING =
  /(?:^|\|)(?:required|nullable|sometimes|present|filled|string|confirmed|trim|bail|alpha_(?:num|dash)|(?:min|max|exact)_length|min|max|size|between|same|different|regex|in|exists|unique|required_(?:if|with|without|unless))(?:[:|[]|$)/;

/** Whether a value is a placeholder for a secret, a reference to one, or validation rules for one. */
export function isPlaceholder(value: string): boolean {
  if (/[|:[]/.test(value) && VALIDATION.test(value) && VALIDATING.test(value)) return true;
  if (REFERENCE.test(value) || LEADING.test(value) || isExampleToken(value)) return true;
  if (PUBLISHED.has(value)) return true;
  const plain = decoded(value);
  if ([value, plain].some((text) => STANDING_IN.test(text) || PLAIN.test(text))) return true;
  // A user and a password, as the header of HTTP's Basic scheme has them (RFC 7617).
  return plain.includes(":") && plain.split(":").every((text) => PLAIN.test(text));
}

/** What a value in base64 says, as secrets of Kubernetes are written: `Y2hhbmdlbWU=` for `changeme`. */
const BASE64 = /^(?=.{8,64}$)(?:[A-Za-z0-9+/]{4}){1,16}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decoded(value: string): string {
  if (!BASE64.test(value)) return "";
  const text = Buffer.from(value, "base64").toString("latin1");
  return /^[\x21-\x7e]+$/.test(text) ? text : "";
}

/** What published JSON Web Tokens are about: nobody, at a domain that is nobody's. */
const EXAMPLE = /"(?:1234567890|John Doe)"|\bexample\b/;

/** Whether a JSON Web Token says of itself that it is an example. */
export function isExampleToken(text: string): boolean {
  const payload = /^ey[\w-]+\.(ey[\w-]+)\./.exec(text)?.[1];
  return payload !== undefined && EXAMPLE.test(Buffer.from(payload, "base64url").toString());
}
