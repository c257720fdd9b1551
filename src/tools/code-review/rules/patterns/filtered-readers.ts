import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** Calls by which a reader of Java is told the classes that it may make. */
const FILTERING =
  /^(?:setObjectInputFilter|allowTypes(?:By(?:Wildcard|RegExp))?|allowTypeHierarchy|addPermission|setupDefaultSecurity)$/;
/** Streams that are named after what they are for: `ValidatingObjectInputStream`, `SafeObjectInputStream`. */
const FILTERED =
  /(?:Validating|Filter|Safe|Secure|Restricted|Look_?[aA]head|[wW]hite[lL]ist|[aA]llow)\w{0,20}\(\)\./;

/** Whether a reader restricts the classes that it makes: `in.setObjectInputFilter(filter)`, `new ObjectInputStream(s) {…}`. */
export function isFiltered(fragment: Fragment, call: Call, receiver: string): boolean {
  if (fragment.language !== "java") return false;
  if (FILTERED.test(receiver)) return true;
  // A class without a name is there to override what the stream makes of a class's name.
  if (call.isNew && fragment.text(call.end) === "{") return true;
  const at = call.isNew ? assignedBefore(fragment, call) : call.at - 2;
  if (!fragment.isWord(at)) return false;
  const name = fragment.text(at);
  const own = call.isNew ? at : fragment.names.definition(name, at)?.at;
  return fragment.callsOf(FILTERING).some(({ at: set }) => {
    if (fragment.text(set - 2) !== name) return false;
    const told = fragment.names.definition(name, set)?.at;
    // A member of the class may be told in its constructor.
    return told === own || fragment.names.functionAt(told ?? -1) !== fragment.names.functionAt(set);
  });
}

/** Returns the name that a new object is assigned to. */
function assignedBefore(fragment: Fragment, { start }: Call): number {
  const equals = fragment.text(start - 1) === "new" ? start - 2 : start - 1;
  return fragment.text(equals) === "=" ? equals - 1 : -1;
}
