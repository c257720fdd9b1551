import { firstIndex } from "../../../../system/binary-search.ts";
import type { Language } from "../../language/language.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import { EVERY_LANGUAGE } from "../../taint/files.ts";
import { LOCAL_SOURCES, SOURCES } from "../../taint/tables.ts";
import { objectPath } from "../receivers.ts";
import type { Target } from "../target.ts";
import { isOfFileRoute, pathInHead } from "./file-routes.ts";
import { isOfPhpRoute } from "./php-routes.ts";
import { isConvertedByRoute, isDependency, isRouted } from "./python-routes.ts";
import { isOfRoute } from "./rocket-routes.ts";
import type { Filling } from "./sources.ts";
import { controllersIn, isViewParameter } from "./view-parameters.ts";

/** Whether an expression (a dotted path, `[]` for indexing, `()` for calls) carries data from a client. */
export function isRequestPath(language: Language, path: string): boolean {
  return SOURCES[language]?.test(path) ?? false;
}

/** Whether an expression, under one of its paths, carries data from a client, and not what the program put there. */
export function carriesRequest(fragment: Fragment, paths: readonly string[], at: number): boolean {
  if (fragment.language === "php" && paths.includes("file_get_contents()"))
    return fragment.text(at + 2) === "php://input";
  return paths.some(
    (path) =>
      isRequestPath(fragment.language, path) &&
      !isOwnMember(fragment, path, at) &&
      !isOfOtherType(fragment, path, at),
  );
}

/** Types of Go that are, or hold, what a client sent. */
const REQUESTS = /(?:Request|Req|Context|Ctx|Params|Controller|Handler)$/;

/** `r.Host` of Go, where `r` is not a request: `func (r *Repository) Url() string { return r.Host }`. */
function isOfOtherType(fragment: Fragment, path: string, at: number): boolean {
  const [first = ""] = path.split(".", 1);
  if (fragment.language !== "go" || !/^[a-z]\w*$/.test(first)) return false;
  for (const { start } of fragment.names.functionsAround(at)) {
    if (fragment.text(start + 1) !== "(" || fragment.text(start + 2) !== first) continue;
    const type = fragment.text(start + 3) === "*" ? start + 4 : start + 3;
    return fragment.isWord(type) && !REQUESTS.test(fragment.text(type));
  }
  const definition = fragment.names.definition(first, at);
  const declared = definition?.kind === "parameter" && definition.parameter?.declared;
  const types = declared ? fragment.texts(declared).filter((word) => /^[A-Z]/.test(word)) : [];
  return types.length > 0 && !types.some((type) => REQUESTS.test(type));
}

/** What the handlers of Python's `http.server` are made of. */
const HANDLES = /^(?:do_[A-Z]{3,10}|\w{0,40}RequestHandler)$/;

/** `self.path`, a member of requests that some classes have for themselves: `self.path = folder`. */
function isOwnMember(fragment: Fragment, path: string, at: number): boolean {
  const name = /^self\.(\w+)$/.exec(path)?.[1];
  if (name === undefined) return false;
  const { classAt, own } = ownMembersIn(fragment);
  return own.has(`${classAt(at)} ${name}`);
}

/**
 * The members that classes of Python assign, each behind the number of its class. A handler of requests only changes what
 * the client sent: `self.path = self.path.split("?")[0]`.
 */
const ownMembersIn = oncePerFragment((fragment: Fragment) => {
  const classes = fragment.words.get("class") ?? [];
  const classAt = (at: number) => firstIndex(classes, (index) => index > at);
  const handling = new Set(fragment.wordsLike(HANDLES).map(classAt));
  const own = new Set<string>();
  /** By name, the line of the next member of that name. */
  const next = new Map<string, number>();
  for (const self of (fragment.words.get("self") ?? []).toReversed()) {
    if (fragment.text(self + 1) !== ".") continue;
    const name = fragment.text(self + 2);
    const line = fragment.lineOf(self);
    const isAssigned = /^[=:]$/.test(fragment.text(self + 3)) && fragment.lineOf(self - 1) !== line;
    if (isAssigned && next.get(name) !== line && !handling.has(classAt(self)))
      own.add(`${classAt(self)} ${name}`);
    next.set(name, line);
  }
  // `path: Path`, a member that a data class or a model declares.
  for (const [at, { text, kind, line }] of fragment.tokens.entries()) {
    const isDeclared = kind === "word" && fragment.text(at + 1) === ":" && fragment.lineOf(at - 1) !== line;
    if (isDeclared && !handling.has(classAt(at))) own.add(`${classAt(at)} ${text}`);
  }
  return { classAt, own };
});

/** Entry points of programs and of command line frameworks. */
const MAIN = /^(?:main|Main|run)$/;

/** Whether an expression carries data from the command line, and is not a local name spelled the same. */
export function isLocalPath(fragment: Fragment, path: string, at: number): boolean {
  if (!LOCAL_SOURCES[fragment.language]?.test(path)) return false;
  const definition = fragment.names.definition(fragment.text(at), at);
  if (!definition) return true;
  return definition.kind === "parameter" && MAIN.test(definition.function?.name ?? "");
}

/** What a server says of itself and of the connection, where PHP keeps what a client sent too. */
const SERVERS_OWN =
  /^(?:SCRIPT_FILENAME|DOCUMENT_ROOT|SERVER_(?:ADDR|PORT|SOFTWARE|ADMIN|SIGNATURE|PROTOCOL)|GATEWAY_INTERFACE|REMOTE_(?:ADDR|PORT)|REQUEST_TIME(?:_FLOAT)?|HTTPS)$/;

/** Where a server has put a file that a client sent, under a name of its own. */
const PUT_ASIDE = /\.tempFilePath$/;

/** Whether an expression is a name that the program has chosen: `os.Args[0]`, `$_SERVER["SCRIPT_FILENAME"]`, `file.tempFilePath`. */
export function isOwnName(fragment: Fragment, path: string, at: number): boolean {
  if (PUT_ASIDE.test(path)) return true;
  if (path === "$_SERVER[]") return fragment.isString(at + 2) && SERVERS_OWN.test(fragment.text(at + 2));
  const own = /^(?:os\.Args|sys\.argv)\[\]$/.test(path) ? 0 : path === "process.argv[]" ? 1 : -1;
  return own >= 0 && fragment.tokens[at + 4]?.kind === "number" && Number(fragment.text(at + 4)) <= own;
}

const REQUEST_TYPES = new Set(EVERY_LANGUAGE.requestTypes);
const HANDLER = /^(?:handler|lambda_handler|main_handler|lambdaHandler|\w{0,20}Handler)$/;

/** Maximum tokens of a parameter's declaration that are read: many names may share one pattern. */
const MAX_DECLARED = 100;

/** Returns what a framework fills a parameter with from a request, judged by its annotation or by the route above it. */
export function fillingOf(
  fragment: Fragment,
  scope: FunctionScope,
  parameter: Parameter,
  target?: Target,
): Filling | undefined {
  const { language } = fragment;
  const { from, to } = parameter.declared;
  for (let at = from; at < Math.min(to, from + MAX_DECLARED); at++) {
    const annotated = language === "csharp" ? fragment.text(at - 1) === "[" : fragment.text(at - 1) === "@";
    // `Path<Id>` is an extractor, the `&Path` of a file is not.
    const extractor = language === "rust" && at !== parameter.at && /^[<(]$/.test(fragment.text(at + 1));
    if ((annotated || extractor) && REQUEST_TYPES.has(fragment.text(at)))
      return isConverted(fragment, fragment.text(at), parameter) ? "converted" : "sent";
  }
  if (isBound(fragment, scope, parameter)) return "sent";
  if (language === "rust" && isOfRoute(fragment, scope, parameter)) return "sent";
  if (language === "php" && isOfPhpRoute(fragment, scope, parameter)) return "sent";
  if (language === "javascript" && isTakenFromRequest(fragment, scope, parameter, target)) return "sent";
  // Play passes the parts of an address to the method that creates an action.
  if (language === "java" && fragment.text(scope.body.from) === "Action") return "sent";
  const first = scope.parameters[0] === parameter;
  if (first && /^(?:event|evt)$/.test(parameter.name) && isLambdaHandler(fragment, scope)) return "sent";
  if (
    language === "python" &&
    !/^(?:self|cls|request|req|db|session)$/.test(parameter.name) &&
    !isDependency(fragment, parameter)
  ) {
    if (isRouted(fragment, scope))
      return isConvertedByRoute(fragment, scope, parameter) ? "converted" : "sent";
    if (target === "path" && isViewParameter(fragment, scope, parameter)) return "sent";
  }
  return undefined;
}

/** Annotations of a single value, which is converted to the type behind them. */
const SINGLE = /^(?:RequestParam|PathVariable|RequestHeader|CookieValue|QueryParam|PathParam|FormParam)$/;
/** Types that preserve a text that is converted to them. */
const OPEN =
  /^(?:String|CharSequence|Object|Optional|List|Set|Collection|Map|MultiValueMap|HttpHeaders|MultipartFile|Part|File|Path|URI|URL|Resource)$/;

/** What NestJS makes numbers, UUIDs and members of enumerations with: `@Param("id", ParseIntPipe) id: number`. */
const PARSING = /^Parse(?:Int|Float|Bool|UUID|Enum|Date)Pipe$/;

/** `@RequestParam Sort order`: most likely an enumeration, which accepts only its own names. */
function isConverted(fragment: Fragment, annotation: string, { at, declared }: Parameter): boolean {
  if (fragment.language === "javascript")
    return fragment.texts({ from: declared.from, to: at }).some((text) => PARSING.test(text));
  if (fragment.language !== "java" || !SINGLE.test(annotation) || at !== declared.to - 1) return false;
  const type = fragment.text(at - 1);
  return fragment.isWord(at - 1) && /^[A-Z]/.test(type) && !OPEN.test(type) && !SINGLE.test(type);
}

/** Return types of ASP.NET actions. */
const ACTION_RESULTS = /^(?:I?ActionResult|JsonResult|ViewResult|ContentResult|FileResult|RedirectResult)$/;
const PUBLIC_ACTIONS = new RegExp(`${ACTION_RESULTS.source}|^public$`);
/** Spring's annotations of methods that handle requests. */
const MAPPINGS = /^(?:Request|Get|Post|Put|Delete|Patch)Mapping$/;
const MAPS = /^Map(?:Get|Post|Put|Delete|Patch)$/;
const TEXTS = /^(?:[sS]tring|MultipartFile)$/;
/** Modifiers and attributes of methods that no request reaches. */
const OWN = /^(?:private|protected|internal|static|override|NonAction)$/;
/** Maximum tokens of a method's head before its name. */
const MAX_HEAD = 30;

/** `IActionResult Show(string name)`, `@GetMapping … String show(String name)`: frameworks bind texts by name. */
function isBound(fragment: Fragment, { start, name }: FunctionScope, { at, declared }: Parameter): boolean {
  const { language, tokens } = fragment;
  if (language !== "csharp" && language !== "java") return false;
  const typed = Array.from({ length: declared.to - declared.from }, (_, index) => declared.from + index);
  if (!typed.some((index) => index !== at && TEXTS.test(fragment.text(index)))) return false;
  if (!name) return isMapped(fragment, start);
  let found = false;
  const marks = language === "csharp" ? actionMarks(fragment, start, name) : MAPPINGS;
  for (let index = start + 4; index > start - MAX_HEAD && index >= 0; index--) {
    if (index < start && /^[;{}]$/.test(tokens[index]?.text ?? "")) break;
    if (OWN.test(fragment.text(index))) return false;
    if (index < at && marks.test(fragment.text(index))) found = true;
  }
  return found;
}

/** Whether a function answers a route of ASP.NET's minimal APIs: `app.MapGet("/{name}", async (string name) => …`. */
function isMapped(fragment: Fragment, start: number): boolean {
  let at = start - 1;
  while (/^(?:async|static)$/.test(fragment.text(at))) at--;
  const isArgument = fragment.text(at) === "," && fragment.tokens[at - 1]?.kind === "string";
  return isArgument && fragment.text(at - 2) === "(" && MAPS.test(fragment.text(at - 3));
}

/** Returns what identifies an ASP.NET action: its return type or, in a controller, that it is public. */
function actionMarks(fragment: Fragment, start: number, name: string): RegExp {
  const isOwn = controllersIn(fragment).some(
    ({ body, name: own }) => body && body.from <= start && start < body.to && own !== name,
  );
  return isOwn ? PUBLIC_ACTIONS : ACTION_RESULTS;
}

/** `exports.handler = async (event) =>`, `def lambda_handler(event)`, `def anything(event, context)`. */
function isLambdaHandler(fragment: Fragment, { name, start, parameters }: FunctionScope): boolean {
  if ((name && HANDLER.test(name)) || parameters[1]?.name === "context") return true;
  for (let at = start - 1; at > start - 6; at--) {
    if (fragment.text(at) === "handler" && fragment.text(at + 1) === "=") return true;
  }
  return false;
}

/** Whether a parameter of a handler of JavaScript is, or is taken out of, what a client sent: `({ query }: Request)`. */
function isTakenFromRequest(
  fragment: Fragment,
  scope: FunctionScope,
  parameter: Parameter,
  target?: Target,
): boolean {
  const path = pathInHead(fragment, scope, parameter);
  return path !== undefined
    ? isRequestPath(fragment.language, path)
    : isOfFileRoute(fragment, scope, parameter, target);
}

/** Whether a variable is destructured from a request: `const { query } = req`. */
export function isTakenOutOfRequest(fragment: Fragment, { at, name, value, kind }: Definition): boolean {
  const after = fragment.text(at + 1);
  const destructured =
    kind === "assign" &&
    value.from > at &&
    (after === "," || after === "}") &&
    fragment.text(value.from - 2) === "}";
  if (!destructured || value.to !== value.from + 1 || !fragment.isWord(value.from)) return false;
  const path = `${fragment.text(value.from)}.${name}`;
  return (
    isRequestPath(fragment.language, path) ||
    isRequestPath(fragment.language, objectPath(fragment, path, value.from))
  );
}
