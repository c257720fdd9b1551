import type { Language } from "../language/language.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { FunctionScope, Parameter } from "../syntax/functions.ts";

/** Dotted paths, with `[]` and `()` for what is indexed and called, that hold what a client sent. */
const PATHS: Partial<Record<Language, RegExp>> = {
  javascript:
    /^(?:(?:this\.)?(?:req|request|ctx|context|c|_req|httpRequest)\.(?:req\.|request\.)?(?:query|body|rawBody|params|param|headers|header|cookies|signedCookies|files?|url|originalUrl|path|hostname|get|queries|json|text|formData|parseBody|nextUrl|searchParams)\b|(?:(?:window|document|self|globalThis|top|parent|\$window)\.)?location(?:\.(?:href|hash|search|pathname|toString)\b|$)|document\.(?:URL|documentURI|referrer|cookie|location)\b|window\.name$|process\.argv\b|(?:new )?URLSearchParams\b|useSearchParams\b|searchParams\.get\b|params\.get\(|Deno\.args\b|Bun\.argv\b)/,
  python:
    /^(?:(?:self\.)?(?:flask\.)?(?:request|req)\.(?:args|form|values|json|data|files|cookies|headers|GET|POST|META|COOKIES|FILES|body|get_json|query_params|path_params|query|params|path|url|match_info|rel_url|stream|get_data|query_string|view_args)\b|self\.get_(?:query_)?arguments?\b|self\.request\.get\(|sys\.argv\b|input\(|raw_input\(|sys\.stdin\b|self\.path$|event\[|event\.get\()/,
  go: /^(?:(?:r|req|request)\.(?:URL|FormValue|PostFormValue|Form|PostForm|Header|Body|Cookie|MultipartForm|PathValue|FormFile|Host|RequestURI)\b|mux\.Vars\b|chi\.URLParam\b|(?:c|ctx|context)\.(?:Query|QueryParam|Param|PostForm|FormValue|DefaultQuery|GetHeader|Params|Query\w{0,16}|Cookie|Cookies|BodyRaw|PathParam|GetQuery|GetPostForm|FormFile)\(|os\.Args\b|flag\.Args?\()/,
  java: /(?:^|\.)(?:getParameter|getParameterValues|getParameterMap|getHeader|getHeaders|getQueryString|getCookies|getPathInfo|getRequestURI|getRequestURL|getInputStream|getReader|getPart|getPathParameters|getQueryParameters)\(|^args\b/,
  ruby: /^(?:params\b|request\.(?:params|query_string|body|headers|env|path|fullpath|referer|GET|POST|url)\b|cookies\b|ARGV\b|gets\b|env\[)/,
  php: /^\$(?:_GET|_POST|_REQUEST|_COOKIE|_FILES|_SERVER|HTTP_RAW_POST_DATA|argv)\b|^\$(?:this->|this\.)?request(?:\.|->)(?:input|get|query|all|post|cookie|header|file|json|route|server|getContent|request)\b|^(?:filter_input|getallheaders|Input\.get)\b/,
  csharp:
    /(?:^|\.)Request\.(?:QueryString|Query|Form|Params|Headers|Cookies|Body|InputStream|Path|RawUrl|Url|RouteValues|ServerVariables|Files|UserHostName)\b|^Request\[|^Console\.ReadLine\b|^args\b|^Environment\.GetCommandLineArgs\b/,
  rust: /^(?:(?:std\.)?env\.args\b|(?:req|request)\.(?:query_string|headers|uri|path|match_info|body|cookies?|param)\b|web\.(?:Query|Path|Form|Json)\b)/,
  c: /^(?:argv|getenv)\b/,
  cpp: /^(?:argv|getenv)\b/,
  shell: /^\$(?:\d|@|\*)$/,
};

export function isRequestPath(language: Language, path: string): boolean {
  return PATHS[language]?.test(path) ?? false;
}

const HTTP_TYPES =
  /^(?:Query|Body|Param|Params|Headers?|Req|Request|UploadedFile|Cookies|Session|RawBody|Args|RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|MatrixVariable|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|FromQuery|FromBody|FromRoute|FromForm|FromHeader|Path|Form|Json|Multipart|QueryMap)$/;

const ROUTE =
  /^(?:route|get|post|put|patch|delete|head|options|websocket|api_view|endpoint|view|page|expose)$/;
const HANDLER = /^(?:handler|lambda_handler|main_handler|lambdaHandler|\w{0,20}Handler)$/;

/** True of a parameter that a framework fills from a request: by its annotation, or by the route above it. */
export function isRequestParameter(fragment: Fragment, scope: FunctionScope, parameter: Parameter): boolean {
  const { language } = fragment;
  for (let at = parameter.declared.from; at < parameter.declared.to; at++) {
    const annotated = language === "csharp" ? fragment.text(at - 1) === "[" : fragment.text(at - 1) === "@";
    const extractor = language === "rust" && at !== parameter.at;
    if ((annotated || extractor) && HTTP_TYPES.test(fragment.text(at))) return true;
  }
  const first = scope.parameters[0] === parameter;
  if (first && /^(?:event|evt)$/.test(parameter.name) && isLambdaHandler(fragment, scope)) return true;
  if (language === "python" && !/^(?:self|cls|request|req|db|session)$/.test(parameter.name)) {
    return isRouted(fragment, scope);
  }
  return false;
}

/** `exports.handler = async (event) =>`, `def lambda_handler(event, context)`. */
function isLambdaHandler(fragment: Fragment, { name, start }: FunctionScope): boolean {
  if (name && HANDLER.test(name)) return true;
  for (let at = start - 1; at > start - 6; at--) {
    if (fragment.text(at) === "handler" && fragment.text(at + 1) === "=") return true;
  }
  return false;
}

/** `@app.route("/<name>")` on a line above `def`. */
function isRouted(fragment: Fragment, { start }: FunctionScope): boolean {
  const { tokens } = fragment;
  const line = tokens[start]?.line ?? 0;
  for (let at = start - 1; at >= 0 && (tokens[at]?.line ?? 0) >= line - 3; at--) {
    if (fragment.text(at) === "def" || fragment.text(at) === "class") return false;
    if (tokens[at]?.kind === "word" && ROUTE.test(fragment.text(at)) && fragment.text(at + 1) === "(") {
      for (let before = at; before > at - 6; before--) if (fragment.text(before) === "@") return true;
    }
  }
  return false;
}
