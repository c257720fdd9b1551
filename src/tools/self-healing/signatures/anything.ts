import { cause, survivable, symptom } from "./signature.ts";

/** What any tool may say. */
export const anything = survivable([
  cause(
    "format-needed",
    "lint",
    /(?:needs?|requires?|is not|not|isn't|incorrectly) (?:properly |correctly |be )?format(?:ted|ting)\b|[Rr]un .{1,60} to (?:apply|fix|format)/,
    "cart.go is not formatted",
    74,
  ),
  cause(
    "labelled-error",
    undefined,
    /^(?:[\w./:\\-]+(?:\[\d+\])?: )?(?:fatal|FATAL|panic)(?: error)?: \S/,
    "shop: fatal: cannot begin",
    80,
  ),
  cause(
    "plain-error",
    undefined,
    /^(?:[✖✘✗×❌] |\s{0,4})?(?:error|ERROR|Error|ERR!|Err)(?:\([\w ]+\)|\[\w+\])?: ?\S/,
    "error: cannot begin",
    78,
  ),
  cause(
    "tool-error",
    undefined,
    /^(?!(?:error|warning|fatal|info|note)\b)[\w./@+-]+: (?:(?:line )?\d+: )?(?:error|ERROR|Error|cannot|unable to|failed to|could not|invalid|missing|unknown|unrecognized)\b/,
    "cp: cannot stat 'dist': nothing there",
    80,
  ),
  cause(
    "version-needed",
    "version_mismatch",
    /(?:requires?|needs?|[Pp]lease (?:use|upgrade to|install)|minimum|at least|supported) (?:at least )?(?:[A-Z][\w.#+-]*|node|npm|python|java|gcc|glibc|GLIBC\w*)(?: version)? ?(?:v?>?=? ?\d+[\d.]*)|version [`']?GLIBC\S+ not found|\w+ version (?:mismatch|is too (?:old|new))|[Uu]nsupported (?:\w+ )?version|incompatible (?:with )?(?:\w+ )?version/,
    "This tool requires Node 20 or newer.",
    82,
  ),
  cause(
    "configuration-invalid",
    "configuration",
    /[Ii]nvalid (?:config(?:uration)?|value|schema|YAML|yaml|JSON)|[Uu]nknown (?:config|key|property|compiler option|field)|[Cc]onfig(?:uration)? (?:file )?(?:.{0,40} )?(?:not found|is invalid|error|missing|could not be)|[Uu]nable to (?:create Root Module|parse|load config)|[Ff]ailed to (?:parse|load (?:config|settings))/,
    'Invalid configuration: "port" must be a number',
    86,
  ),
  cause(
    "test-line",
    "test_failure",
    /^\s*FAIL(?:ED)?:? +(?![[(])(?<test>\S.*)|\bFAIL(?:ED)?:\s+\S/,
    "FAIL: cart adds the tax",
    76,
  ),
  symptom(
    "counts",
    undefined,
    /\b[1-9]\d* (?:error|failure|failed|failing|problem|violation|offense|issue)s?\b/i,
    "3 errors generated.",
    56,
  ),
  symptom(
    "says-failed",
    undefined,
    /\b(?:failed|FAILED|failure|FAILURE|unsuccessful|aborted|[Cc]rash(?:ed)?)\b|[Uu]nexpected\b.*\b(?:error|end)|returned non-zero|non-zero exit/,
    "The upload failed",
    54,
  ),
  symptom(
    "says-error",
    undefined,
    /\b(?:error|ERROR|Error|exception|Exception|fatal|FATAL|panic)\b/,
    "There was an error in the shop",
    46,
  ),
  symptom(
    "cannot",
    undefined,
    /^\s*(?:[Cc]annot|[Cc]an't|[Cc]ould not|[Uu]nable to|[Nn]o such|[Mm]issing|[Ii]nvalid|[Uu]nknown|not found)\b/,
    "Cannot begin without a shop",
    58,
  ),
  symptom(
    "exit-status",
    undefined,
    /\b(?:exit(?:ed)?(?: with)? (?:code|status)|returned(?: exit)? (?:code|status)|exit code:?|status:?) ?:?=? ?[1-9]\d*\b|\bExit [1-9]\d*\b/,
    "exit status 1",
    32,
  ),
]);
