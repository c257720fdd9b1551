import { type Call, pathBefore } from "./calls.ts";
import { expressionEnd } from "./functions/functions.ts";
import { makerBefore } from "./initializers.ts";
import { MEMBER } from "./keywords.ts";
import type { LexedFragment } from "./lexed-fragment.ts";

/**
 * Returns assignments to a member as calls of a setter: `label.Text = value`, and in an object initialiser
 * `new Label { Text = value }`, whose path is `Label.Text`.
 */
export function assignmentsTo(fragment: LexedFragment, name: string): Call[] {
  const found: Call[] = [];
  for (const at of fragment.words.get(name) ?? []) {
    if (fragment.text(at + 1) !== "=") continue;
    const member = MEMBER.has(fragment.text(at - 1));
    const maker = member ? undefined : makerBefore(fragment, at);
    if (!member && maker === undefined) continue;
    const { start, path } = member ? pathBefore(fragment, at) : { start: at, path: `${maker}.${name}` };
    const end = expressionEnd(fragment, at + 2);
    found.push({ name, path, at, start, isNew: false, end, args: [{ from: at + 2, to: end }] });
  }
  return found;
}
