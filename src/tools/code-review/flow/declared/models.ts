import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { reachingOf } from "../reaching.ts";
import { isDeclaredHarmless, isEnumeration } from "../types.ts";
import { declarationOf } from "./imported.ts";
import { pythonClasses } from "./python-classes.ts";

/** Bases of classes that check the types of their members when they are made: of Pydantic, SQLModel and msgspec. */
const CHECKING = /^(?:BaseModel|SQLModel|BaseSettings|Struct|\w{1,40}(?:Model|Schema))$/;
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
      const { file, name } = declarationOf(fragment, modelOf(fragment, each));
      const field = modelsOf(file)
        .get(name)
        ?.get(fragment.text(from + 2));
      return field !== undefined && isDeclaredHarmless(file, field);
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
const modelsOf = oncePerFragment(
  (fragment: Fragment) =>
    new Map(
      pythonClasses(fragment).flatMap(({ name, bases, members }) =>
        bases.some((base) => CHECKING.test(base)) ? [[name, members] as const] : [],
      ),
    ),
);
