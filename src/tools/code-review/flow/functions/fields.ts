import { firstIndex } from "../../../../system/binary-search.ts";
import { classesOf } from "../../syntax/classes.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** A call on a field of the object itself. */
const ON_FIELD = /^(?:this|self)\.([\w$]{1,80})(?=\.)/;
/** Maximum places of a field's name that are searched for its type. */
const MAX_PLACES = 50;

/**
 * Returns the path of a call on a field with the field's type in its place, `UsersService.find()` for `this.users.find()`.
 * The type is known by how the field, or the parameter that it is named after, is declared in the class around
 * (`constructor(private users: UsersService)`), or by what it is made with (`this.users = new UsersService()`). Returns
 * undefined for any other call, and for a field that is declared as several types.
 */
export function pathOnField(fragment: Fragment, path: string, at: number): string | undefined {
  const [object, field = ""] = ON_FIELD.exec(path) ?? [];
  if (object === undefined) return undefined;
  const classes = classesOf(fragment);
  const next = firstIndex(classes, ({ head }) => head.from > at);
  const from = classes[next - 1]?.head.from;
  if (from === undefined) return undefined;
  const to = classes[next]?.head.from ?? fragment.tokens.length;
  const places = fragment.words.get(field) ?? [];
  const first = firstIndex(places, (place) => place >= from);
  const types = places
    .slice(first, first + MAX_PLACES)
    .flatMap((place) => (place < to ? (typeAt(fragment, place) ?? []) : []));
  const [type] = types;
  return type !== undefined && types.every((each) => each === type)
    ? type + path.slice(object.length)
    : undefined;
}

/** Returns the type that is given to a name: `users: UsersService`, `users = new UsersService(`, `self.users = Users(`. */
function typeAt(fragment: Fragment, place: number): string | undefined {
  let at = place + 1;
  if (/^[?!]$/.test(fragment.text(at))) at++;
  const sign = fragment.text(at++);
  if (sign !== ":" && sign !== "=") return undefined;
  const isMade = fragment.text(at) === "new";
  const type = fragment.text(isMade ? at + 1 : at);
  if (!/^[A-Z]/.test(type)) return undefined;
  return sign === ":" || isMade || fragment.text(at + 1) === "(" ? type : undefined;
}
