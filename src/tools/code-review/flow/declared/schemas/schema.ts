import type { Fragment } from "../../../syntax/fragment.ts";
import { oncePerFragment } from "../../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../../syntax/range.ts";
import { declarationOf } from "../imported.ts";
import { type Written, writtenSchema } from "./libraries.ts";
import { argumentsAt, membersOf, type Part, partsOf } from "./parts.ts";

/** Schemas that admit no free text. */
const FIXED =
  /^(?:number|u?int(?:eger|32|64)?|float(?:32|64)|bigint|bool(?:ean)?|stringbool|date|enums?_?|nativeEnum|picklist|literal|const|valid|nan|null|undefined|uuid(?:v\d)?|guid|cuid2?|ulid|nanoid|xid|ksuid|ip(?:v[46])?|iso\w{0,16}|hex|hexadecimal|hash|mac)$/i;
/** Requirements on a text that leave no mark in it that could do harm. */
const FORMAT =
  /^(?:uuid|guid|cuid2?|ulid|nanoid|xid|ksuid|datetime|date|time|duration|ip|ipv[46]|hex|hexadecimal|digits|alphanum|token|iso[A-Z]\w{1,16})$/;
/** Requirements of one of the values that are listed. */
const LISTED = /^(?:valid|equal|oneOf)$/;
const PATTERN = /^(?:regex|pattern|matches)$/;
/** An expression for whole texts, of named characters. */
const WHOLE = /^\/?\^(?!.{0,200}(?:\[\^|\\[SWD]))[^.]{1,200}\$(?:\/[dgisuvy]{0,6})?$/;
const WRAPPING =
  /^(?:array|set|optional|nullable|nullish|readonly|promise|prefault|exactOptional|undefinedable|partial|required)$/i;
const OBJECT =
  /^(?:object|strictObject|looseObject|objectAsync|extend|safeExtend|augment|keys|append|shape)$/i;
const UNION = /^(?:union|discriminatedUnion|variant|alternatives)$/i;

/** Maximum names and schemas within schemas that are followed. */
export const DEEPEST = 5;

/** By the token that a schema begins at, whether it admits no text in its whole: each is looked at once. */
const wholeIn = oncePerFragment((_: Fragment) => new Map<number, boolean>());

/** Whether a schema admits no free text, or, under keys, that of the member there. */
export function admitsNoText(fragment: Fragment, range: Range, keys: readonly string[], depth = 0): boolean {
  if (keys.length > 0) return readSchema(fragment, range, keys, depth);
  const whole = wholeIn(fragment);
  const known = whole.get(range.from);
  if (known !== undefined) return known;
  whole.set(range.from, false);
  const admits = readSchema(fragment, range, keys, depth);
  whole.set(range.from, admits);
  return admits;
}

function readSchema(fragment: Fragment, range: Range, keys: readonly string[], depth: number): boolean {
  if (depth > DEEPEST) return false;
  if (fragment.text(range.from) === "{") return readObject(fragment, range, keys, depth);
  const inner = (value: Range, left: readonly string[]) => admitsNoText(fragment, value, left, depth + 1);
  const written = writtenSchema(fragment, range);
  const [key, ...left] = keys;
  const parts = written ? [written.made, ...written.behind] : (partsOf(fragment, range) ?? []);
  const member = key === undefined ? undefined : memberOf(fragment, parts, key);
  if (member) return inner(member, left);
  if (written && key === undefined) return isWithoutText(fragment, written, (each) => inner(each, []));
  if (written) {
    const [wrapped] = argumentsOf(fragment, written.made);
    return WRAPPING.test(written.made.name) && wrapped !== undefined && inner(wrapped, keys);
  }
  const value = parts[0] && assignedTo(fragment, parts[0]);
  return value !== undefined && admitsNoText(value.file, value.range, keys, depth + 1);
}

/** Whether a schema that is written with a library admits no free text in its whole. */
function isWithoutText(
  fragment: Fragment,
  { made, behind }: Written,
  admitsNone: (schema: Range) => boolean,
): boolean {
  const args = argumentsOf(fragment, made);
  const others = behind.flatMap((each) => (each.name === "or" ? argumentsOf(fragment, each) : []));
  if (!others.every(admitsNone)) return false;
  if (FIXED.test(made.name) || behind.some((each) => isLimited(fragment, each))) return true;
  if (/^string$/i.test(made.name)) return args[0] !== undefined && isOfForm(fragment, args[0]);
  if (made.name === "pipe") return args.some((each) => isLimiting(fragment, each) || admitsNone(each));
  if (WRAPPING.test(made.name)) {
    const items = behind.find(({ name }) => /^(?:of|items)$/.test(name));
    const [item] = items ? argumentsOf(fragment, items) : args;
    return item !== undefined && admitsNone(item);
  }
  if (!UNION.test(made.name)) return false;
  const list = args.find(({ from }) => fragment.text(from) === "[");
  const members = list ? argumentsAt(fragment, list.from) : args;
  return members.length > 0 && members.every(admitsNone);
}

/** Whether a part of valibot's `pipe` leaves no free text: `v.uuid()`. */
function isLimiting(fragment: Fragment, range: Range): boolean {
  const action = writtenSchema(fragment, range)?.made;
  return action !== undefined && isLimited(fragment, action);
}

/** Returns what a name is assigned, in this file or in the one that it is imported from. */
function assignedTo(
  fragment: Fragment,
  { name: used, at }: Part,
): { file: Fragment; range: Range } | undefined {
  const { file, name } = declarationOf(fragment, used);
  const definition =
    file === fragment
      ? file.names.definition(name, at)
      : file.names.all(name).find((each) => !file.names.functionAt(each.at));
  return definition?.kind === "assign" ? { file, range: definition.value } : undefined;
}

/** JSON Schema, or members that are schemas themselves: `{ cmd: z.string() }`. */
function readObject(fragment: Fragment, range: Range, keys: readonly string[], depth: number): boolean {
  const [key, ...left] = keys;
  if (key === undefined) return isOfForm(fragment, range);
  const members = membersOf(fragment, range);
  const properties = members.get("properties");
  const member = (properties ? membersOf(fragment, properties) : members).get(key);
  return member !== undefined && admitsNoText(fragment, member, left, depth + 1);
}

const NO_TEXTS = /^(?:integer|number|boolean|null)$/;

/** Whether options say of a text what leaves no mark in it, or of JSON Schema that it is none: `{ format: "uuid" }`. */
function isOfForm(fragment: Fragment, range: Range): boolean {
  const members = membersOf(fragment, range);
  const textOf = (name: string) => {
    const at = members.get(name)?.from ?? -1;
    return fragment.isString(at) ? fragment.text(at) : "";
  };
  return (
    members.has("enum") ||
    members.has("const") ||
    NO_TEXTS.test(textOf("type")) ||
    FORMAT.test(textOf("format").replace("-", "")) ||
    WHOLE.test(textOf("pattern"))
  );
}

/** Whether a call on a schema leaves no free text: `.uuid()`, `.valid("a", "b")`, `.regex(/^[a-z]+$/)`. */
function isLimited(fragment: Fragment, { name, open }: Part): boolean {
  if (open === undefined) return false;
  if (FORMAT.test(name) || LISTED.test(name)) return true;
  const given = fragment.tokens[open + 1];
  if (PATTERN.test(name)) return given?.kind === "regex" && WHOLE.test(given.text);
  return name === "transform" && /^(?:Number|parseInt|parseFloat)$/.test(given?.text ?? "");
}

function argumentsOf(fragment: Fragment, { open }: Part): Range[] {
  return open === undefined ? [] : argumentsAt(fragment, open);
}

/** Returns the schema of a member of the last object that has it: `name: z.string()` in `z.object({ name: z.string() })`. */
function memberOf(fragment: Fragment, parts: readonly Part[], key: string): Range | undefined {
  for (const part of parts.toReversed()) {
    const [object] = OBJECT.test(part.name) ? argumentsOf(fragment, part) : [];
    const member = object && membersOf(fragment, object).get(key);
    if (member) return member;
  }
  return undefined;
}
