import type { Definition } from "../syntax/definitions/definition.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { FunctionScope } from "../syntax/functions/functions.ts";
import type { Range } from "../syntax/range.ts";
import { EVERY_LANGUAGE } from "../taint/files.ts";
import { chainFrom } from "./chain.ts";

/** Maximum names followed back from a call to the origin of its receiver. */
const DEEPEST = 4;
const OBJECTS = new Map(EVERY_LANGUAGE.objects.map(({ type, as }) => [type, as]));
/** Methods of servers that take a handler, whose parameters are the request and the response. */
const HANDLING =
  /^(?:get|post|put|patch|delete|all|use|head|options|route|handle|createServer|on|HandleFunc)$/;

const known = new WeakMap<Definition, string>();

/**
 * Returns a call's path with its first name replaced by the origin of its value: the call that created it, the type
 * of a parameter, or the role of a parameter in a server's handler. If that is unknown, only imports are resolved.
 */
export function receiverPath(fragment: Fragment, path: string, at: number): string {
  return followed(fragment, fragment.names.resolve(path), path, at, 0);
}

/** Like `receiverPath`, but replaces the first name only if it is a parameter of a known type or role. */
export function objectPath(fragment: Fragment, path: string, at: number): string {
  const first = path.split(/[.([]/, 1)[0] as string;
  const definition = path === first ? undefined : fragment.names.definition(first, at);
  const object = definition?.kind === "parameter" ? parameterRole(fragment, definition) : "";
  return object ? object + path.slice(first.length) : fragment.names.resolve(path);
}

function followed(fragment: Fragment, resolved: string, path: string, at: number, depth: number): string {
  const end = path.search(/[.([]/);
  const first = end < 0 ? path : path.slice(0, end);
  if (depth >= DEEPEST || path.startsWith(`${first}(`)) return resolved;
  if (fragment.names.imports.has(first)) return resolved;
  const definition = givenBy(fragment, first, at);
  const maker = definition ? makerOf(fragment, definition, depth) : fieldType(fragment, first);
  return maker ? maker + path.slice(first.length) : resolved;
}

const GIVING: ReadonlySet<Definition["kind"]> = new Set(["assign", "parameter", "each", "enter"]);

/** Returns the definition of a name's whole value, skipping changes to it such as `list.put(x)`. */
function givenBy(fragment: Fragment, name: string, at: number): Definition | undefined {
  for (const each of fragment.names.before(name, at)) {
    if (GIVING.has(each.kind)) return each;
  }
  return fragment.names.behind(name, at);
}

function makerOf(fragment: Fragment, definition: Definition, depth: number): string {
  const before = known.get(definition);
  if (before !== undefined) return before;
  known.set(definition, "");
  const maker =
    definition.kind === "parameter"
      ? parameterRole(fragment, definition) || parameterType(fragment, definition)
      : definition.kind === "assign" || definition.kind === "enter"
        ? made(fragment, definition, depth) || declaredType(fragment, definition.at)
        : opened(fragment, definition, depth);
  known.set(definition, maker);
  return maker;
}

/** Returns the origin of a value that is a single chain of calls and members: `sqlite3.connect().cursor()`. */
function made(fragment: Fragment, { value }: Definition, depth: number): string {
  let { from } = value;
  while (/^(?:new|await|&|\()$/.test(fragment.text(from)) && from < value.to) from++;
  if (!fragment.isWord(from)) return "";
  const { path, end } = chainFrom(fragment, from, value.to);
  // Braces behind the chain build an object, and a closing bracket belongs to one skipped above.
  if (end !== value.to && !/^(?:\{|\))$/.test(fragment.text(end))) return "";
  return followed(fragment, fragment.names.resolve(path), path, from, depth + 1);
}

const OPENING = /\.(?:open|start|new|connect)\(\)$/;

/** `Net::FTP.open(host) do |ftp|`: the block's parameter is the opened object. */
function opened(fragment: Fragment, definition: Definition, depth: number): string {
  if (fragment.language !== "ruby" || definition.kind !== "each") return "";
  const maker = made(fragment, definition, depth);
  return OPENING.test(maker) ? maker : "";
}

function parameterRole(fragment: Fragment, { parameter, function: scope }: Definition): string {
  if (!parameter || !scope) return "";
  const { from, to } = parameter.declared;
  for (let at = from; at < to; at++) {
    const type = at === parameter.at ? undefined : OBJECTS.get(fragment.text(at));
    if (type) return type;
  }
  if (fragment.language === "php" && isRequestTyped(fragment, parameter.declared)) return "request";
  if (fragment.language !== "javascript" || !isHandler(fragment, scope)) return "";
  const place = scope.parameters.indexOf(parameter);
  return place === 0 ? "req" : place === 1 ? "res" : "";
}

/** Whether a parameter has a type of request: `StoreBookRequest` of Laravel, `ServerRequestInterface` of PSR-7. */
function isRequestTyped(fragment: Fragment, { from, to }: Range): boolean {
  return fragment.tokens
    .slice(from, to)
    .some(({ kind, text }) => kind === "word" && /^[A-Z]\w{0,60}Request(?:Interface)?$/.test(text));
}

/** `Statement name = …` */
function declaredType(fragment: Fragment, at: number): string {
  const type = fragment.text(at - 1);
  return fragment.isWord(at - 1) && /^[A-Z]/.test(type) ? type : "";
}

/** Returns the type that a local name, a parameter or a field is declared with: `String name = …`, `Integer count`. */
export function declaredTypeOf(fragment: Fragment, name: string, at: number): string {
  for (const each of fragment.names.before(name, at)) {
    const type = GIVING.has(each.kind) ? declaredType(fragment, each.at) : "";
    if (type) return type;
  }
  return fieldType(fragment, name);
}

/** Maximum occurrences of a name that are searched for the declaration of a field. */
const MAX_PLACES = 50;

/** Returns the type of a field that is assigned outside of the hunk: `private ScriptEngine name;`. */
function fieldType(fragment: Fragment, name: string): string {
  if (fragment.language !== "java" && fragment.language !== "csharp") return "";
  for (const at of fragment.words.get(name)?.slice(0, MAX_PLACES) ?? [])
    if (fragment.text(at + 1) === ";") return declaredType(fragment, at);
  return "";
}

/** `Statement name`, `name: Statement`, `name *pgx.Conn` */
function parameterType(fragment: Fragment, { parameter }: Definition): string {
  if (!parameter) return "";
  const { from, to } = parameter.declared;
  // The value that it has unless one is given says nothing: `users: Users = Depends()`.
  const ends = fragment.texts(parameter.declared).indexOf("=");
  for (let at = (ends < 0 ? to : from + ends) - 1; at >= from; at--) {
    if (at !== parameter.at && fragment.isWord(at) && /^[A-Z]/.test(fragment.text(at)))
      return fragment.text(at);
  }
  return "";
}

/** `app.get("/path", (a, b) => …)`, `http.createServer((a, b) => …)` */
export function isHandler(fragment: Fragment, { start, parameters }: FunctionScope): boolean {
  if (parameters.length === 0 || parameters.length > 4) return false;
  const call = fragment.callAround(start);
  if (!call || !HANDLING.test(call.name)) return false;
  const first = call.args[0];
  return call.name === "createServer" || fragment.isString(first?.from ?? -1);
}
