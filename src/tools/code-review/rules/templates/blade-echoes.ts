/** Functions of PHP and Laravel that escape all of their arguments, or whose results are harmless. */
const ESCAPING =
  /^(?:e|htmlspecialchars|htmlentities|(?:\\?App\\)?\w{0,40}Purif\w{0,20}::clean|clean|intval|floatval|count|csrf_token|number_format)$/i;
/** Functions that change a text and keep it escaped. */
const KEEPING = /^(?:nl2br|trim|ltrim|rtrim|wordwrap|strval)$/;
/** Functions that return a text of the program, or an address in it, for a literal key. */
const TEXTS = /^(?:trans|__|trans_choice|lang::get|config|route|url|asset)$/i;
/** `$books->links()`, `$view->render()`: components that create markup and escape the values in it. */
const COMPONENT = /->(?:links|render)\((?:[^()]{0,100})\)$/;
const LITERAL = /^(?:'[^'$\\]{0,300}'|"[^"$\\{]{0,300}"|\d{1,10})$/;
const CALL = /^([\w\\:]{1,80})\((.{0,400})\)$/;
const MAX_LENGTH = 500;

/** Whether the expression behind `{!!` escapes its value itself: `{!! nl2br(e($text)) !!}`. */
export function isEscapedEcho(behind: string): boolean {
  const end = behind.slice(0, MAX_LENGTH).indexOf("!!}");
  return end >= 0 && isEscaped(behind.slice(0, end), 0);
}

/** `on ? ' class="active"' : ''`, perhaps in parentheses: all possible values are literals of the template. */
const FIXED_CHOICE = /^(?:'[^'$\\]{0,300}'|"[^"$\\{]{0,300}"|null|\d{1,10})$/;

function isFixedChoice(expression: string, depth = 0): boolean {
  const bare = expression.trim();
  if (FIXED_CHOICE.test(bare)) return true;
  if (depth > 4) return false;
  if (bare.startsWith("(") && bare.endsWith(")") && isBalanced(bare.slice(1, -1)))
    return isFixedChoice(bare.slice(1, -1), depth + 1);
  const [condition, ...chosen] = splitAt(bare, "?");
  // `$name ?: 'nobody'` and `$name ?? ''` give the value itself.
  if (condition === undefined || chosen.length !== 1) return false;
  const values = splitAt(chosen[0] as string, ":");
  return values.length === 2 && values.every((each) => isFixedChoice(each, depth + 1));
}

function isEscaped(expression: string, depth: number): boolean {
  if (isFixedChoice(expression)) return true;
  const parts = splitAt(expression, ".");
  if (depth > 4 || parts.length === 0) return false;
  return parts.every((each) => {
    const part = each.trim();
    if (LITERAL.test(part)) return true;
    if (COMPONENT.test(part) && splitAt(part, "?").length === 1) return true;
    const [, name = "", given = ""] = CALL.exec(part) ?? [];
    // `e($a) ?: f($b)` matches too, with unbalanced brackets.
    if (name === "" || !isBalanced(given)) return false;
    if (ESCAPING.test(name)) return true;
    const args = splitAt(given, ",");
    if (TEXTS.test(name))
      return args.every((arg) => LITERAL.test(arg.trim()) || isListOfTexts(arg.trim(), depth));
    return KEEPING.test(name) && isEscaped(args[0] ?? "", depth + 1);
  });
}

/** `['link' => route('debug')]`: what is filled into a text is harmless itself. */
function isListOfTexts(list: string, depth: number): boolean {
  if (!list.startsWith("[") || !list.endsWith("]") || !isBalanced(list.slice(1, -1))) return false;
  return splitAt(list.slice(1, -1), ",").every((each) => {
    const [, value = ""] = /^\s{0,40}(?:'[\w.-]{1,60}'\s{0,4}=>\s{0,4})?(.*)$/s.exec(each) ?? [];
    return isEscaped(value.trim(), depth + 1);
  });
}

/** Whether a text never closes more brackets than it opened. */
function isBalanced(text: string): boolean {
  let isSo = true;
  walk(text, (_, depth) => {
    isSo &&= depth >= 0;
  });
  return isSo;
}

/** Splits a text at a sign, except within brackets and quotes. */
function splitAt(text: string, sign: string): string[] {
  const parts: string[] = [];
  let from = 0;
  walk(text, (at, depth, isQuoted) => {
    if (depth !== 0 || isQuoted || text[at] !== sign) return;
    parts.push(text.slice(from, at));
    from = at + 1;
  });
  return [...parts, text.slice(from)];
}

/** @param visit is called with each index and the number of brackets that are open behind it. */
function walk(text: string, visit: (at: number, depth: number, isQuoted: boolean) => void): void {
  let [depth, quote] = [0, ""];
  for (let at = 0; at < text.length && at < MAX_LENGTH; at++) {
    const character = text[at] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    visit(at, depth, quote !== "");
  }
}
