import { splitAtCommas } from "../../syntax/calls.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import { optionsIn } from "../../syntax/options.ts";
import type { Range } from "../../syntax/range.ts";
import { reachingOf } from "../reaching.ts";

/** Calls that return what a client sent only if it fits a schema of zod. */
const PARSING = /^(?:parse|safeParse|decode|safeDecode)(?:Async)?$/;
/** Schemas that admit no free text. */
const FIXED =
  /^(?:number|u?int(?:32|64)?|float(?:32|64)|bigint|boolean|stringbool|date|enum|nativeEnum|literal|nan|null|undefined|uuid(?:v\d)?|guid|cuid2?|ulid|nanoid|xid|ksuid|ipv[46]|iso|hex|hash)$/;
/** Requirements on a text that leave no mark in it that could do harm. */
const FORMAT = /^(?:uuid|guid|cuid2?|ulid|nanoid|xid|ksuid|datetime|date|time|duration|ip|ipv[46]|hex)$/;
const WRAPPING = /^(?:array|set|optional|nullable|nullish|readonly|promise|prefault)$/;
const OBJECT = /^(?:object|strictObject|looseObject|extend|safeExtend|augment)$/;
const UNION = /^(?:union|discriminatedUnion)$/;

/** Maximum names and schemas within schemas that are followed, definitions of a name, and parts of an expression. */
const [DEEPEST, MAX_DEFINITIONS, MAX_PARTS] = [5, 4, 30];

/** What is known of the schemas of a file, each looked at once, however often it is used. */
const schemasOf = oncePerFragment((fragment: Fragment) => ({
  isUsed:
    fragment.language === "javascript" &&
    fragment.wordsLike(PARSING).length > 0 &&
    (fragment.words.has("z") || [...fragment.names.imports.values()].some((module) => /^zod\b/.test(module))),
  /** Whether a schema that begins at a token admits no text in its whole. */
  whole: new Map<number, boolean>(),
  /** By the bracket that an object is given in, its members. */
  members: new Map<number, ReadonlyMap<string, Range>>(),
}));

/**
 * Whether an expression is, or is a member of, what passed a schema which admits no free text there:
 * `Kind.parse(request.query.kind)`, `body.kind` behind `body = z.object({ kind: z.enum(["a", "b"]) }).parse(request.body)`.
 */
export function isValidated(fragment: Fragment, range: Range): boolean {
  return schemasOf(fragment).isUsed && isFixed(fragment, range, [], 0);
}

interface Part {
  name: string;
  at: number;
  /** The bracket behind the name, if it is called. */
  open?: number;
}

function isFixed(fragment: Fragment, range: Range, keys: readonly string[], depth: number): boolean {
  const parts = partsOf(fragment, range);
  if (!parts || depth > DEEPEST) return false;
  const parsing = parts.findIndex(({ name, open }) => open !== undefined && PARSING.test(name));
  const behind = parts.slice(Math.max(parsing, 0) + 1).map(({ name }) => name);
  if (parsing > 0) {
    const { name, at } = parts[parsing] as Part;
    const isWrapped = name.startsWith("safe") && (behind[0] ?? keys[0]) === "data";
    const read = [...behind, ...keys].slice(isWrapped ? 1 : 0);
    return admitsNoText(fragment, { from: parts[0]?.at ?? at, to: at - 1 }, read, depth + 1);
  }
  const [first] = parts;
  if (!first || parts.some(({ open }) => open !== undefined)) return false;
  const definitions = reachingOf(fragment).definitions(first.name, first.at);
  return (
    definitions.length > 0 &&
    definitions.length <= MAX_DEFINITIONS &&
    definitions.every((each) => {
      const taken = isTakenOut(fragment, each) ? [each.name] : [];
      return (
        each.kind === "assign" && isFixed(fragment, each.value, [...taken, ...behind, ...keys], depth + 1)
      );
    })
  );
}

/** Whether a name is taken out of an object: `const { kind } = …`. */
function isTakenOut(fragment: Fragment, { at, value }: Definition): boolean {
  return /^[,}]$/.test(fragment.text(at + 1)) && fragment.text(value.from - 2) === "}" && value.from > at;
}

function admitsNoText(fragment: Fragment, range: Range, keys: readonly string[], depth: number): boolean {
  if (keys.length > 0) return readSchema(fragment, range, keys, depth);
  const { whole } = schemasOf(fragment);
  const known = whole.get(range.from);
  if (known !== undefined) return known;
  whole.set(range.from, false);
  const admits = readSchema(fragment, range, keys, depth);
  whole.set(range.from, admits);
  return admits;
}

function readSchema(fragment: Fragment, range: Range, keys: readonly string[], depth: number): boolean {
  const parts = partsOf(fragment, range);
  const [first, ...rest] = parts ?? [];
  if (!first || depth > DEEPEST) return false;
  const inner = (value: Range, left: readonly string[]) => admitsNoText(fragment, value, left, depth + 1);
  const objects = rest.filter(({ name, open }) => open !== undefined && OBJECT.test(name));
  const [key, ...left] = keys;
  if (key !== undefined) {
    const member = objects.toReversed().flatMap(({ open }) => memberOf(fragment, open as number, key))[0];
    if (member) return inner(member, left);
  }
  if (!isZod(fragment, first.name)) {
    const definition = fragment.names.definition(first.name, first.at);
    return definition?.kind === "assign" && inner(definition.value, keys);
  }
  const [made, ...behind] = rest.filter(({ name }) => name !== "coerce");
  if (!made || key !== undefined) return false;
  const others = behind.flatMap(({ name, open }) =>
    name === "or" && open !== undefined ? argumentsAt(fragment, open) : [],
  );
  if (!others.every((each) => inner(each, []))) return false;
  if (FIXED.test(made.name)) return true;
  const args = made.open === undefined ? [] : argumentsAt(fragment, made.open);
  if (made.name === "string") return behind.some((each) => isFormat(fragment, each));
  if (WRAPPING.test(made.name)) return args[0] !== undefined && inner(args[0], []);
  const listed = UNION.test(made.name) ? args.at(-1) : undefined;
  const members = listed && argumentsAt(fragment, listed.from);
  return members !== undefined && members.length > 0 && members.every((each) => inner(each, []));
}

function isZod(fragment: Fragment, name: string): boolean {
  return /^zod\b/.test(fragment.names.imports.get(name) ?? "") || name === "z";
}

function isFormat(fragment: Fragment, { name, open }: Part): boolean {
  if (open === undefined || FORMAT.test(name)) return open !== undefined;
  const given = fragment.tokens[open + 1];
  if (name === "regex")
    return given?.kind === "regex" && /^\/?\^[^.]{1,200}\$(?:\/\w{0,6})?$/.test(given.text);
  return name === "transform" && /^(?:Number|parseInt|parseFloat)$/.test(given?.text ?? "");
}

function argumentsAt(fragment: Fragment, open: number): Range[] {
  return splitAtCommas(fragment, { from: open + 1, to: fragment.tokens[open]?.partner ?? open + 1 });
}

/** Returns the schema of a member of an object: `name: z.string()` in `z.object({ name: z.string() })`. */
function memberOf(fragment: Fragment, open: number, key: string): Range[] {
  const { members } = schemasOf(fragment);
  const known = members.get(open) ?? membersAt(fragment, open);
  members.set(open, known);
  const member = known.get(key);
  return member ? [member] : [];
}

function membersAt(fragment: Fragment, open: number): ReadonlyMap<string, Range> {
  const [object] = argumentsAt(fragment, open);
  if (!object || fragment.text(object.from) !== "{") return new Map();
  const options = optionsIn(fragment, { from: object.from + 1, to: object.to - 1 });
  return new Map(options.map(({ name, value }) => [name, value]));
}

/** Returns the parts of `a.b(…).c`, or undefined for another expression. */
function partsOf(fragment: Fragment, { from, to }: Range): Part[] | undefined {
  const parts: Part[] = [];
  let at = fragment.text(from) === "await" ? from + 1 : from;
  while (at < to && parts.length < MAX_PARTS) {
    if (!fragment.isWord(at)) return undefined;
    const bracket = fragment.tokens[at + 1];
    const isCalled = bracket?.text === "(" && bracket.partner > at && at + 1 < to;
    parts.push({ name: fragment.text(at), at, ...(isCalled && { open: at + 1 }) });
    const end = isCalled ? bracket.partner + 1 : at + 1;
    if (end >= to) return parts;
    if (!MEMBER.has(fragment.text(end))) return undefined;
    at = end + 1;
  }
  return undefined;
}
