/** Calls whose result cannot carry what was put in: numbers, lengths, comparisons, digests. */
const HARMLESS =
  /^(?:parseInt|parseFloat|Number|BigInt|Boolean|isNaN|isFinite|int|float|bool|len|intval|floatval|boolval|count|strlen|sizeof|Atoi|ParseInt|ParseFloat|ParseBool|valueOf|to_i|to_f|toFixed|toPrecision|getTime|now|indexOf|lastIndexOf|includes|startsWith|endsWith|hasOwnProperty|test|equals|equalsIgnoreCase|isEmpty|isArray|is_numeric|Int32|ToInt32|TryParse|uuid|randomUUID|UUID|uuid4|createHash|digest|hexdigest|sha256|md5|sha1|typeof|isInteger|isdigit|ctype_digit)$/;

/** Words within a name of a call that say it makes text harmless for where it goes. */
const CLEANING =
  /(?:saniti[sz]|escape|purif|encode|quote|clean|whitelist|allowlist|safe_join|secure_filename|validate|forHtml|forXml|forUri|forCss|forJavaScript|htmlspecialchars|htmlentities|strip_tags|^esc_|^e$)/i;
const NOT_CLEANING =
  /(?:unescape|unquote|base64|b64|json|urlencode|toBase64|encodeBase64|unsanitized|unsafe)/i;

/** What a call does to what it is given. */
export function makesHarmless(name: string, path: string): boolean {
  if (HARMLESS.test(name)) return true;
  if (NOT_CLEANING.test(name)) return false;
  return (
    CLEANING.test(name) ||
    /(?:^|\.)(?:xss|DOMPurify|shlex|html|cgi|he|validator|Math)(?:\(|\.)/.test(`${path}(`)
  );
}

/** Members that are numbers or yes and no, whatever they belong to. */
export const HARMLESS_MEMBERS = new Set([
  "length",
  "size",
  "count",
  "id_int",
  "byteLength",
  "status",
  "statusCode",
  "Length",
  "Count",
]);
