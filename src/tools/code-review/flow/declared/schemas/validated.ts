import type { Definition } from "../../../syntax/definitions/definition.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { oncePerFragment } from "../../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../../syntax/range.ts";
import { reachingOf } from "../../reaching.ts";
import { isDeclared, mayDeclare } from "./handler-inputs.ts";
import { librariesIn, PARSING } from "./libraries.ts";
import { argumentsAt, type Part, partsOf } from "./parts.ts";
import { admitsNoText, DEEPEST } from "./schema.ts";

/** Those whose schema is the second argument. */
const SCHEMA_BEHIND = /^(?:attempt|create|mask)$/;
/** What holds the value in a result that also tells of an error. */
const WRAPPED = [
  { call: /^safe/, member: /^(?:data|output)$/ },
  { call: /^validate$/, member: /^value$/ },
];
/** Maximum definitions of a name. */
const MAX_DEFINITIONS = 4;

const maySpeakOfSchemas = oncePerFragment((fragment: Fragment) => ({
  parses: fragment.language === "javascript" && fragment.wordsLike(PARSING).length > 0,
}));

/**
 * Whether an expression is, or is a member of, what passed a schema which admits no free text there:
 * `Kind.parse(request.query.kind)`, `body.kind` behind `body = z.object({ kind: z.enum(["a", "b"]) }).parse(request.body)`,
 * `request.params.id` of a route that declares its parameters.
 */
export function isValidated(fragment: Fragment, range: Range): boolean {
  const isSpokenOf = maySpeakOfSchemas(fragment).parses || mayDeclare(fragment);
  return isSpokenOf && isFixed(fragment, range, [], 0);
}

function isFixed(fragment: Fragment, range: Range, keys: readonly string[], depth: number): boolean {
  const parts = partsOf(fragment, range);
  if (!parts || depth > DEEPEST) return false;
  const parsing = parts.findIndex(({ name, open }) => open !== undefined && PARSING.test(name));
  const behind = parts.slice(Math.max(parsing, 0) + 1).map(({ name }) => name);
  const schema = parsing < 0 ? undefined : schemaOf(fragment, parts, parsing);
  if (schema) {
    const { name } = parts[parsing] as Part;
    return admitsNoText(fragment, schema, valueKeys(fragment, name, [...behind, ...keys]), depth + 1);
  }
  const [first] = parts;
  const called = parts.findLastIndex(({ open }) => open !== undefined);
  if (!first || called > 2) return false;
  const definitions = reachingOf(fragment).definitions(first.name, first.at);
  return (
    definitions.length > 0 &&
    definitions.length <= MAX_DEFINITIONS &&
    definitions.every((each) => {
      if (each.kind === "parameter") return isDeclared(fragment, each, parts, keys);
      const read = [...takenOut(fragment, each), ...behind, ...keys];
      return called < 0 && each.kind === "assign" && isFixed(fragment, each.value, read, depth + 1);
    })
  );
}

/** Returns the schema of a call that parses: `Body.parse(…)`, `z.object({ … }).parse(…)`, `v.parse(Body, …)`. */
function schemaOf(fragment: Fragment, parts: readonly Part[], parsing: number): Range | undefined {
  const { isNamespace, isOfLibrary } = librariesIn(fragment);
  const [first] = parts as [Part];
  const { name, at, open = at } = parts[parsing] as Part;
  const isFunction = parsing === 0 ? isOfLibrary(first.name) : parsing === 1 && isNamespace(first.name);
  if (isFunction) return argumentsAt(fragment, open)[SCHEMA_BEHIND.test(name) ? 1 : 0];
  return parsing > 0 ? { from: first.at, to: at - 1 } : undefined;
}

/** Returns the keys into the value, without the one that leads to it in a result that also tells of an error. */
function valueKeys(fragment: Fragment, call: string, [first = "", ...rest]: readonly string[]): string[] {
  const all = first === "" ? [] : [first, ...rest];
  const isWrapped = WRAPPED.some(({ call: of, member }) => of.test(call) && member.test(first));
  // What is wrong is returned beside its error, which somebody has to look at.
  const isSeen = !call.startsWith("validate") || fragment.words.has("error");
  return isWrapped && isSeen ? rest : all;
}

/** Returns the key under which a name is taken out of an object: `const { kind } = …`, `const { value: body } = …`. */
function takenOut(fragment: Fragment, { at, name, value }: Definition): string[] {
  const isOut =
    /^[,}]$/.test(fragment.text(at + 1)) && fragment.text(value.from - 2) === "}" && value.from > at;
  if (!isOut) return [];
  return [fragment.text(at - 1) === ":" ? fragment.text(at - 2) : name];
}
