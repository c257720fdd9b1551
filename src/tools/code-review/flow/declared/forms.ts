import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { reachingOf } from "../reaching.ts";
import { declarationOf } from "./imported.ts";
import { pythonClasses } from "./python-classes.ts";

/** Fields, of Django's forms and serializers, marshmallow and WTForms, that admit no free text. */
const FIXED =
  /^(?:(?:Big|Small|Positive)?Integer|Int|Number|Float|Decimal|(?:Null)?Boolean|Bool|Date|(?:Naive|Aware)?DateTime|Time|TimeDelta|Duration|UUID|(?:Typed)?(?:Multiple)?Choice|Select|Radio|Enum|(?:Generic)?IPAddress|IP|IPv4|IPv6|PrimaryKeyRelated|Model(?:Multiple)?Choice)(?:Field)?$/;
/** Maximum tokens of a field that are looked at, and names that are followed. */
const [MAX_FIELD, DEEPEST] = [60, 3];
/** Maximum definitions of a name. */
const MAX_DEFINITIONS = 4;
/** What holds the values that passed. */
const CHECKED = /^(?:validated_data|cleaned_data|data)$/;
const LOADING = /^(?:load|loads)$/;

/** The members of classes that are fields, by class: whether each admits no free text. */
const formsOf = oncePerFragment((fragment: Fragment) => {
  const forms = new Map<string, ReadonlyMap<string, boolean>>();
  for (const { name, members } of pythonClasses(fragment)) {
    const fields = [...members].flatMap(([field, at]) => {
      const isFixed = fixedField(fragment, at);
      return isFixed === undefined ? [] : [[field, isFixed] as const];
    });
    if (fields.length > 0) forms.set(name, new Map(fields));
  }
  return forms;
});

/** Whether a field admits no free text, `n = fields.Int()`; undefined for another member. */
function fixedField(fragment: Fragment, at: number): boolean | undefined {
  let type = at + 2;
  while (fragment.text(type + 1) === "." && fragment.isWord(type + 2)) type += 2;
  const { text, partner = -1 } = fragment.tokens[type + 1] ?? {};
  if (text !== "(" || fragment.text(at + 1) !== "=" || !/^[A-Z]/.test(fragment.text(type))) return undefined;
  if (FIXED.test(fragment.text(type))) return true;
  // `fields.Str(validate=validate.OneOf(["a", "b"]))`
  return fragment.texts({ from: type + 2, to: Math.min(partner, type + MAX_FIELD) }).includes("OneOf");
}

/**
 * Whether an expression of Python is a value of a form that admits no free text there: `form.cleaned_data["n"]`,
 * `RunSchema().load(request.json)["n"]`.
 */
export function isOfForm(fragment: Fragment, { from, to }: Range): boolean {
  if (fragment.language !== "python") return false;
  const read = keyAt(fragment, from, to);
  const form = read && formBehind(fragment, { from, to: read.to }, 0);
  return form?.get(read?.key ?? "") === true;
}

/** Returns what the end of `data["n"]`, `data.get("n")` or `form.n.data` reads, and the end of what it reads it of. */
function keyAt(fragment: Fragment, from: number, to: number): { key: string; to: number } | undefined {
  if (fragment.text(to - 1) === "data" && to === from + 5) return { key: fragment.text(to - 3), to: to - 4 };
  const open = fragment.tokens[to - 1]?.partner ?? -1;
  if (open <= from || !fragment.isString(open + 1)) return undefined;
  const key = fragment.text(open + 1);
  if (fragment.text(open) === "[") return { key, to: open };
  const isGet = fragment.text(open - 1) === "get" && fragment.text(open - 2) === ".";
  return isGet ? { key, to: open - 2 } : undefined;
}

/** Returns the fields of the form whose values an expression holds. */
function formBehind(
  fragment: Fragment,
  { from, to }: Range,
  depth: number,
): ReadonlyMap<string, boolean> | undefined {
  const name = fragment.text(from);
  const { text, partner = -1 } = fragment.tokens[from + 1] ?? {};
  const behind = text === "(" ? partner + 1 : from + 1;
  const [isChecked, isLoaded] = [CHECKED, LOADING].map((words) => words.test(fragment.text(behind + 1)));
  const isWhole = behind === to;
  if (text === "(") return isLoaded || isWhole ? formOf(fragment, name) : undefined;
  if (depth > DEEPEST) return undefined;
  if (!isWhole && !isChecked && !isLoaded) return undefined;
  const definitions = reachingOf(fragment).definitions(name, from);
  if (definitions.length === 0 || definitions.length > MAX_DEFINITIONS) return undefined;
  const found = definitions.map(({ kind, value }) => {
    if (kind !== "assign") return undefined;
    return isWhole ? formBehind(fragment, value, depth + 1) : formOf(fragment, fragment.text(value.from));
  });
  return found.every((each) => each === found[0]) ? found[0] : undefined;
}

/** Returns the fields of a form that a class declares. */
function formOf(fragment: Fragment, of: string): ReadonlyMap<string, boolean> | undefined {
  const { file, name } = declarationOf(fragment, of);
  return formsOf(file).get(name);
}
