import type { Call } from "../../../syntax/calls.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { oncePerFragment } from "../../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../../syntax/range.ts";
import { argumentsAt, membersOf, type Part, partsOf } from "./parts.ts";
import { admitsNoText } from "./schema.ts";

/** Maximum arguments of a call that are looked at for what it declares. */
const MAX_ARGUMENTS = 20;

function firstOf(args: readonly Range[]): readonly Range[] {
  return args.slice(0, MAX_ARGUMENTS);
}

/** Returns the value of an option of a call, in one of the objects that it is given. */
function optionOf(fragment: Fragment, { args }: Call, names: readonly string[]): Range | undefined {
  const objects = firstOf(args).map((each) => membersOf(fragment, each));
  return objects.flatMap((members) => names.flatMap((name) => members.get(name) ?? []))[0];
}

const TOOLS = /^(?:registerTool|tool|addTool|createTool|defineTool)$/;

/** Tools for agents: `server.registerTool("run", { inputSchema: { n: z.number() } }, ({ n }) => …)`. */
export function isToolInput(fragment: Fragment, call: Call, path: readonly string[]): boolean {
  if (!TOOLS.test(call.name)) return false;
  const shape = firstOf(call.args).find(({ from }) => fragment.text(from) === "{");
  const schema = optionOf(fragment, call, ["inputSchema", "parameters"]) ?? shape;
  return schema !== undefined && admitsNoText(fragment, schema, path);
}

const RUNNING = /^(?:query|mutation|subscription|handler|action|handle)$/;
const PROCEDURE_INPUT = /^(?:input|schema|inputSchema|inputValidator|validator)$/;
const INPUT = /^(?:input|parsedInput|data)$/;

/** Procedures of tRPC and its like: `procedure.input(z.object({ n: z.number() })).query(({ input }) => …)`. */
export function isProcedureInput(
  fragment: Fragment,
  call: Call,
  [input = "", ...keys]: readonly string[],
): boolean {
  if (!RUNNING.test(call.name) || !INPUT.test(input)) return false;
  return (partsOf(fragment, { from: call.start, to: call.end }) ?? []).some(({ name, open }) => {
    const [schema] = PROCEDURE_INPUT.test(name) && open !== undefined ? argumentsAt(fragment, open) : [];
    return schema !== undefined && admitsNoText(fragment, schema, keys);
  });
}

/** `c.req.valid("json")` behind `zValidator("json", Body)` of Hono. */
export function isValidatedPart(
  fragment: Fragment,
  call: Call,
  { name, open = -1 }: Part,
  keys: readonly string[],
): boolean {
  if (name !== "valid") return false;
  return firstOf(call.args).some((argument) => {
    const [validator] = partsOf(fragment, argument) ?? [];
    if (validator?.open === undefined || !/[vV]alidator$/.test(validator.name)) return false;
    const [part, schema] = argumentsAt(fragment, validator.open);
    const isOfPart = part !== undefined && fragment.text(part.from) === fragment.text(open + 1);
    return isOfPart && schema !== undefined && admitsNoText(fragment, schema, keys);
  });
}

/** The parts of a request, and the names under which schemas of routes have them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  params: ["params"],
  query: ["query", "querystring"],
  body: ["body"],
  headers: ["headers"],
};

/**
 * `app.get("/:id", { schema: { params: Params } }, (request) => …)` of Fastify, the like of Elysia without `schema`, and
 * `app.get("/:id", param("id").isInt(), (req, res) => …)` of express-validator.
 */
export function isRouteInput(
  fragment: Fragment,
  call: Call,
  [part = "", ...keys]: readonly string[],
): boolean {
  const [key] = keys;
  if (key === undefined) return false;
  const names = Object.hasOwn(PARTS, part) ? (PARTS[part] as readonly string[]) : [];
  const schema = optionOf(fragment, call, ["schema"]);
  const declared = schema
    ? names.flatMap((name) => membersOf(fragment, schema).get(name) ?? [])[0]
    : optionOf(fragment, call, names);
  if (declared && admitsNoText(fragment, declared, keys)) return true;
  return checksIn(fragment, call).has(`${part} ${key}`);
}

/** What checks of express-validator are for. */
const CHECKED: ReadonlyMap<string, readonly string[]> = new Map([
  ["param", ["params"]],
  ["query", ["query"]],
  ["body", ["body"]],
  ["header", ["headers"]],
  ["cookie", ["cookies"]],
  ["check", ["params", "query", "body", "headers", "cookies"]],
]);
/** Those that leave no mark in a text that could do harm. */
const CHECKS =
  /^(?:is(?:Int|Numeric|Float|Decimal|UUID|ULID|MongoId|In|Boolean|Date|ISO8601|Alphanumeric|Alpha|Hexadecimal|Hash|IP|Port)|to(?:Int|Float|Boolean|Date))$/;

/** By the call that a handler is given to, the part and key of what is checked before it. */
const checkedIn = oncePerFragment((_: Fragment) => new Map<number, ReadonlySet<string>>());

function checksIn(fragment: Fragment, { at, args }: Call): ReadonlySet<string> {
  const known = checkedIn(fragment);
  const found = known.get(at);
  if (found) return found;
  const checked = new Set<string>();
  for (const argument of args) {
    const list = fragment.text(argument.from) === "[" ? argumentsAt(fragment, argument.from) : [argument];
    for (const each of list) for (const place of checkedBy(fragment, each)) checked.add(place);
  }
  known.set(at, checked);
  return checked;
}

function checkedBy(fragment: Fragment, range: Range): string[] {
  const [made, ...required] = partsOf(fragment, range) ?? [];
  const isCheck = made && /^express-validator\b/.test(fragment.names.imports.get(made.name) ?? "");
  if (!isCheck || made.open === undefined || !required.some(({ name }) => CHECKS.test(name))) return [];
  const key = fragment.text(made.open + 1);
  return (CHECKED.get(made.name) ?? []).map((part) => `${part} ${key}`);
}
