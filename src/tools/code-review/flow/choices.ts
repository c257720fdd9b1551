import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";

/** An expression whose value is one of several, chosen by a subject. */
export interface Choice {
  /** The possible values, including the subject if an arm binds it to a name. */
  values: Range[];
  end: number;
}

const BRACED = new Set(["rust", "java", "php", "csharp"]);
const CHOOSING = /^(?:match|switch|when)$/;
const LEAVING = /^(?:return|throw|raise|panic|bail|break|continue)$/;
/** Maximum tokens of a subject, and of a `case` of Ruby. */
const [MAX_SUBJECT, MAX_CASE] = [60, 400];

/** Reads the choice at `at`: `match s { "a" => "name", _ => "age" }`, `o switch {…}`, `case o when "a" then …`. */
export function choiceAt(fragment: Fragment, at: number, subject = at + 1): Choice | undefined {
  const { language } = fragment;
  if (language === "ruby") return beginsRubyChoice(fragment, at) ? rubyChoice(fragment, at) : undefined;
  if (!BRACED.has(language) || !CHOOSING.test(fragment.text(at))) return undefined;
  let open = at + 1;
  while (fragment.text(open) !== "{") {
    const token = fragment.tokens[open];
    if (!token || token.text === ";" || open - at > MAX_SUBJECT) return undefined;
    open = token.kind === "open" && token.partner > open ? token.partner + 1 : open + 1;
  }
  const close = fragment.tokens[open]?.partner ?? -1;
  if (close < 0) return undefined;
  const arms = armsIn(fragment, { from: open + 1, to: close });
  if (arms.length === 0) return undefined;
  const isNamed = arms.some(({ pattern }) => namesIt(fragment, pattern));
  const named = isNamed ? [subject < at ? { from: subject, to: at } : { from: subject, to: open }] : [];
  return { values: [...arms.map(({ value }) => value).filter(stays(fragment)), ...named], end: close + 1 };
}

interface Arm {
  pattern: Range;
  value: Range;
}

/** Returns the arms that have an arrow between pattern and value. A `switch` statement has none. */
function armsIn(fragment: Fragment, { from, to }: Range): Arm[] {
  const arms: Arm[] = [];
  let [start, arrow] = [from, -1];
  for (let index = from; index <= to; index++) {
    const token = fragment.tokens[index];
    const isEnd = index === to || (token?.kind === "mark" && /^[,;]$/.test(token.text) && arrow >= 0);
    if (isEnd) {
      if (arrow >= 0)
        arms.push({ pattern: { from: start, to: arrow }, value: { from: arrow + 1, to: index } });
      [start, arrow] = [index + 1, -1];
    } else if (token?.kind === "open" && token.partner > index) {
      const isBlock = token.text === "{" && index === arrow + 1;
      index = token.partner;
      // A block needs no separator before the next pattern.
      if (isBlock && arrow >= 0 && fragment.text(index + 1) !== "," && index + 1 < to) {
        arms.push({ pattern: { from: start, to: arrow }, value: { from: arrow + 1, to: index + 1 } });
        [start, arrow] = [index + 1, -1];
      }
    } else if (token?.kind === "mark" && /^(?:=>|->)$/.test(token.text) && arrow < 0) arrow = index;
  }
  return arms;
}

/** Whether a pattern binds the subject to a name: `other => …`. */
function namesIt(fragment: Fragment, { from, to }: Range): boolean {
  const words = fragment.tokens.slice(from, Math.min(to, from + MAX_SUBJECT));
  return words.some(
    ({ kind, text }, index) =>
      kind === "word" &&
      /^[a-z_$]/.test(text) &&
      !/^(?:_|case|default|else|null|true|false|if|when|and|or|not|is|in|var|ref|mut|string|int|long)$/.test(
        text,
      ) &&
      !/^(?:\.|::)$/.test(words[index - 1]?.text ?? ""),
  );
}

function stays(fragment: Fragment): (value: Range) => boolean {
  return ({ from }) => !LEAVING.test(fragment.text(from));
}

/** Whether a `case` begins here, or an `if` that is a value instead of a modifier. */
function beginsRubyChoice(fragment: Fragment, at: number): boolean {
  const text = fragment.text(at);
  return (
    text === "case" ||
    (/^(?:if|unless|begin)$/.test(text) && /^(?:\|\|=|[=([,]|=>)$/.test(fragment.text(at - 1)))
  );
}

function rubyChoice(fragment: Fragment, at: number): Choice | undefined {
  const { tokens } = fragment;
  const values: Range[] = [];
  const isBegin = fragment.text(at) === "begin";
  let from = isBegin ? at + 1 : -1;
  for (
    let index = isBegin || fragment.text(at) === "case" ? at + 1 : at;
    index < Math.min(tokens.length, at + MAX_CASE);
    index++
  ) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    if (token?.kind !== "word") continue;
    // Blocks within it have an `end` of their own.
    if (/^(?:do|begin|case|def)$/.test(token.text)) return undefined;
    const isInner = /^(?:if|unless)$/.test(token.text) && index > at;
    if (isInner && tokens[index - 1]?.line !== token.line) return undefined;
    if (!/^(?:if|unless|elsif|when|else|rescue|ensure|end)$/.test(token.text) || isInner) continue;
    if (token.text === "rescue" && tokens[index - 1]?.line === token.line) continue;
    if (from >= 0) values.push({ from, to: index });
    if (token.text === "end") return values.length > 0 ? { values, end: index + 1 } : undefined;
    // What `ensure` does is no value.
    from = token.text === "ensure" ? -1 : index + 1;
    if (/^(?:else|ensure)$/.test(token.text)) continue;
    while (tokens[from]?.line === token.line && fragment.text(from) !== "then") from++;
    if (fragment.text(from) === "then") from++;
  }
  return undefined;
}
