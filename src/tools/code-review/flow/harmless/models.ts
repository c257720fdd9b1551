import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { reachingOf } from "../reaching.ts";
import { isDeclaredHarmless, isEnumeration } from "../types.ts";

/** Bases of classes that check the types of their members when they are made: of Pydantic, SQLModel and msgspec. */
const CHECKING = /^(?:BaseModel|SQLModel|BaseSettings|Struct|\w{1,40}(?:Model|Schema))$/;
/** Maximum tokens of a class that are searched for a member, and of its head. */
const [MAX_CLASS, MAX_HEAD] = [2_000, 20];

/**
 * Whether an expression of Python is a member of an enumeration, `Kind(request.args["kind"])`, or one of a model that is
 * declared with a type which holds no free text, `item.id` behind `item: Item` and `id: int` in `class Item(BaseModel)`.
 */
export function isOfModel(fragment: Fragment, { from, to }: Range): boolean {
  if (fragment.language !== "python" || !fragment.isWord(from)) return false;
  if (fragment.text(from + 1) === "(") return isEnumeration(fragment, fragment.text(from));
  if (to !== from + 3 || fragment.text(from + 1) !== ".") return false;
  const definitions = reachingOf(fragment).definitions(fragment.text(from), from);
  return (
    definitions.length > 0 &&
    definitions.every((each) => {
      const field = modelsOf(fragment)
        .get(modelOf(fragment, each))
        ?.get(fragment.text(from + 2));
      return field !== undefined && isDeclaredHarmless(fragment, field);
    })
  );
}

/** Returns the name of the class that a name is declared or made with, or an empty text. */
function modelOf(fragment: Fragment, { kind, at, value }: Definition): string {
  if (kind === "parameter") return fragment.text(at + 1) === ":" ? fragment.text(at + 2) : "";
  const isMade =
    fragment.text(value.from + 1) === "(" ||
    /^(?:model_validate|parse_obj)$/.test(fragment.text(value.from + 2));
  return kind === "assign" && isMade ? fragment.text(value.from) : "";
}

/** The classes of a file that check the types of their members, by name: where each member is declared. */
const modelsOf = oncePerFragment((fragment: Fragment) => {
  const models = new Map<string, ReadonlyMap<string, number>>();
  for (const start of fragment.words.get("class") ?? []) {
    const head = fragment.tokens[start + 2];
    if (head?.text !== "(" || head.partner < 0) continue;
    const bases = fragment.texts({ from: start + 3, to: Math.min(head.partner, start + MAX_HEAD) });
    const name = fragment.text(start + 1);
    if (!models.has(name) && bases.some((base) => CHECKING.test(base)))
      models.set(name, membersBehind(fragment, start, head.partner + 2));
  }
  return models;
});

function membersBehind(fragment: Fragment, start: number, from: number): ReadonlyMap<string, number> {
  const members = new Map<string, number>();
  const { column = 0 } = fragment.tokens[start] ?? {};
  for (let at = from; at < from + MAX_CLASS; at++) {
    const token = fragment.tokens[at];
    const begins = fragment.lineOf(at) !== fragment.lineOf(at - 1);
    if (!token || (begins && token.column <= column)) break;
    if (begins && token.kind === "word" && fragment.text(at + 1) === ":") members.set(token.text, at);
  }
  return members;
}
