import { classesOf } from "../../syntax/classes.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { reachingOf } from "../reaching.ts";
import { declarationOf } from "./imported.ts";

/** Decorators of class-validator that leave no mark in a text which could do harm. */
const FIXED =
  /^(?:Is(?:Int|Number|Positive|Negative|DivisibleBy|Enum|UUID|Boolean|In|Date|MongoId|Alphanumeric|Alpha|Hexadecimal|ISO8601|RFC3339|DateString|IP|Port|NumberString|BooleanString|Timezone|Hash)|Min|Max|MinDate|MaxDate)$/;
/** Maximum tokens of a class that are read. */
const MAX_CLASS = 5_000;

type Fields = ReadonlyMap<string, boolean>;

/** The fields of a file's classes that have decorators, by class: whether each admits no free text. */
const decoratedOf = oncePerFragment((fragment: Fragment): ReadonlyMap<string, Fields> => {
  const decorated = new Map<string, Fields>();
  if (fragment.language !== "javascript" || fragment.wordsLike(FIXED).length === 0) return decorated;
  for (const { name, body } of classesOf(fragment)) if (body) decorated.set(name, fieldsIn(fragment, body));
  return decorated;
});

function fieldsIn(fragment: Fragment, { from, to }: Range): Fields {
  const fields = new Map<string, boolean>();
  let isFixed = false;
  for (let at = from; at < Math.min(to, from + MAX_CLASS); at++) {
    const { text = "", partner = -1, kind } = fragment.tokens[at] ?? {};
    if (text === "@") {
      if (FIXED.test(fragment.text(at + 1))) isFixed = true;
      at++;
    } else if (kind === "open" && partner > at) {
      if (text === "{") isFixed = false;
      at = partner;
    } else if (text === ";") isFixed = false;
    else if (kind === "word" && /^[:?!]$/.test(fragment.text(at + 1)) && !fields.has(text)) {
      fields.set(text, isFixed);
      isFixed = false;
    }
  }
  return fields;
}

/**
 * Whether an expression is a field of a class that is declared with what it admits, and no free text is: `dto.port` behind
 * `run(@Body() dto: RunDto)` and `@IsInt() port: number` in `RunDto`.
 */
export function isDecorated(fragment: Fragment, { from, to }: Range): boolean {
  if (fragment.language !== "javascript" || to !== from + 3 || fragment.text(from + 1) !== ".") return false;
  const definitions = reachingOf(fragment).definitions(fragment.text(from), from);
  const [definition] = definitions;
  if (definitions.length !== 1 || definition?.kind !== "parameter") return false;
  const { at } = definition;
  const isTyped = fragment.text(at + 1) === ":" && /^[,)]$/.test(fragment.text(at + 3));
  if (!isTyped) return false;
  const { file, name } = declarationOf(fragment, fragment.text(at + 2));
  return (
    decoratedOf(file)
      .get(name)
      ?.get(fragment.text(from + 2)) === true
  );
}
