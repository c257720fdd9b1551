import { LEVEL, type Level } from "../../../flow/level.ts";
import { provenanceOf } from "../../../flow/provenance.ts";
import { reachingOf } from "../../../flow/reaching.ts";
import { TEMPLATE_OPEN } from "../../../lexer/token.ts";
import { splitAtCommas } from "../../../syntax/calls.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { isKeyword, MEMBER } from "../../../syntax/keywords.ts";
import type { Range } from "../../../syntax/range.ts";

/** Names of tables and columns that Active Record itself provides. */
const OWN =
  /^(?:\w{0,40}table_name\w{0,8}|(?:quoted_)?(?:primary|foreign)_key|inheritance_column|quoted_(?:true|false))$/;

/** Arguments of the HTML helper `select`, which makes a list to choose from. */
const OPTIONS = /^(?:options|grouped_options|option_groups|collection)_/;

/**
 * Returns the part of an argument of Active Record's methods that is SQL: the first member of `["name = ?", term]`,
 * but nothing of `name: "%#{term}%"`, nor of `"<option>…"`, which the HTML helper `select` takes.
 */
export function sqlOf(fragment: Fragment, argument: Range): Range | undefined {
  const { from, to } = argument;
  if (isKeyed(fragment, from) || holdsKeys(fragment, argument)) return undefined;
  const isList = fragment.text(from) === "[" && fragment.tokens[from]?.partner === to - 1;
  const part = isList ? splitAtCommas(fragment, { from: from + 1, to: to - 1 })[0] : argument;
  if (!part || isKeyed(fragment, part.from)) return undefined;
  if (OPTIONS.test(fragment.text(part.from))) return undefined;
  const first = fragment.isString(part.from) ? part.from : part.from + 1;
  return fragment.isString(first) && fragment.text(first).trimStart().startsWith("<") ? undefined : part;
}

/** `name: value`, `:name => value`, `"name" => value`, `{…}`, `**conditions` */
function isKeyed(fragment: Fragment, from: number): boolean {
  const [first, second, third] = [0, 1, 2].map((at) => fragment.text(from + at));
  if (first === "{" || first === "**" || first === ":" || second === "=>") return true;
  if (first === TEMPLATE_OPEN)
    return /^(?:=>|:)$/.test(fragment.text((fragment.tokens[from]?.partner ?? from) + 1));
  return (fragment.isWord(from) || fragment.isString(from)) && second === ":" && third !== ":";
}

/** `column => value` behind an expression, a hash by its name, or a condition of Arel, which binds: `name.matches(term)`. */
function holdsKeys(fragment: Fragment, { from, to }: Range): boolean {
  if (to === from + 1 && fragment.isWord(from)) {
    const made = reachingOf(fragment)
      .definitions(fragment.text(from), from)
      .filter(({ kind }) => kind === "assign");
    return made.length > 0 && made.every(({ value }) => fragment.text(value.from) === "{");
  }
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.text === "=>" || token?.text === "arel_table") return true;
    if (token?.kind === "open" && token.partner > index) index = token.partner;
  }
  return false;
}

export function isOfRecord(fragment: Fragment, at: number): boolean {
  if (fragment.language !== "ruby") return false;
  const text = fragment.text(at);
  return OWN.test(text) || (/^ids?$/.test(text) && MEMBER.has(fragment.text(at - 1)));
}

/** Returns the level of a part that is SQL. Names that Active Record provides do not count. */
export function levelOfSql(fragment: Fragment, { from, to }: Range): Level {
  const level = provenanceOf(fragment, "query").of({ from, to });
  if (level !== LEVEL.unknown) return level;
  for (let index = from; index < to; index++) {
    if (!fragment.isWord(index) || isKeyword("ruby", fragment.text(index))) continue;
    if (MEMBER.has(fragment.text(index + 1)) || isOfRecord(fragment, index)) continue;
    // `order(Arel.sql("…"))` is SQL by what it is given.
    if (fragment.text(index) === "sql" && fragment.text(index - 2) === "Arel") continue;
    return level;
  }
  return LEVEL.literal;
}
