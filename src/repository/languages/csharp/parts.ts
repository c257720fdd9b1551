import type { TypePart } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import type { Found } from "../definitions.ts";
import type { Layout } from "../layout.ts";

const MEMBER = inAnyScript(/[\w>\])?][ \t\n]{1,20}([A-Za-z_]\w*)[ \t\n]{0,20}(?=([;{(<,=]))/g);
const CAPITAL = inAnyScript(/^[A-Z_]/);
const NAME = inAnyScript(/[A-Za-z_]\w*/g);
const STATEMENT =
  /^(?:if|for|foreach|while|switch|catch|return|lock|using|when|where|get|set|init|add|remove|new)$/;

/** Returns what a part of a class declares and names, to tell which parts of the class need each other. */
export function partOf({ code, depthAt }: Layout, { start, end }: Found, type: string): TypePart {
  const body = code.slice(start, end);
  const depth = depthAt(start) + 1;
  const members = new Set<string>();
  for (const { index, 1: name = "", 2: mark = "" } of body.matchAll(MEMBER)) {
    // Parameters and variables begin with a small letter, and so do some fields.
    const isMember = CAPITAL.test(name) || mark === ";";
    if (isMember && !STATEMENT.test(name) && depthAt(start + index) === depth) members.add(name);
  }
  return { type, members: [...members], names: [...new Set(body.match(NAME))] };
}
