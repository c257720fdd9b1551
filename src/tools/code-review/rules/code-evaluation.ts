import type { Rule, Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { hasHoles, provenanceOf } from "../flow/provenance.ts";
import { pathBefore } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { SOURCES, seenAt, seenCall, severityOf } from "./sightings.ts";
import { type Reached, reached, type Sinks } from "./sinks.ts";

const { request, parameter, unknown } = LEVEL;

/** What reads a text as code. */
const SINKS: Sinks = {
  javascript: [
    {
      names: "eval execScript",
      path: /^(?:(?:window|global|globalThis|self|top)\.)?(?:eval|execScript)$/,
      atLeast: unknown,
    },
    { names: "Function AsyncFunction GeneratorFunction", argument: "any", atLeast: unknown },
    {
      names: "runInContext runInNewContext runInThisContext compileFunction Script SourceTextModule",
      path: /^vm[12]?\./,
      atLeast: parameter,
    },
    {
      names: "runInContext runInNewContext runInThisContext compileFunction Script SourceTextModule",
      path: /^vm[12]?\./,
      argument: "any",
      atLeast: request,
    },
    {
      names: "run",
      path: /(?:Sandbox|VM|NodeVM)\(?\)?\.run$|^(?:s|vm|nodeVM|sandbox|isolate)\w{0,10}\.run$/,
      atLeast: parameter,
    },
    { names: "VMScript", atLeast: parameter },
    { names: "toFastProperties safeEval evalExpression", atLeast: parameter },
    { names: "evaluate evaluateHandle evaluateOnNewDocument addInitScript compileScript", atLeast: request },
    {
      names: "renderString compile render template",
      path: /^(?:ejs|pug|jade|Handlebars|handlebars|nunjucks|_|lodash|doT|dot|mustache|Mustache|swig|twig|eta|Eta)\./,
      atLeast: request,
    },
    {
      names: "eval evaluate",
      path: /^(?:notevil|safeEval|safe-eval|static-eval|mathjs|math|expr-eval)\.\w{4,8}$/,
      atLeast: parameter,
    },
    { names: "safeEval notevil globalEval", atLeast: parameter },
    {
      names: "evaluate compileScript callFunctionOn",
      path: /(?:^|\.)Runtime\.\w{8,14}$/,
      atLeast: parameter,
    },
    { names: "executeJavaScript executeScript insertScript", argument: "any", atLeast: parameter },
    { names: "require import", path: /^(?:require|import)$/, atLeast: parameter },
  ],
  python: [
    {
      names: "eval exec execfile",
      path: /^(?:builtins\.|__builtins__\.)?(?:eval|exec|execfile)$/,
      atLeast: unknown,
    },
    { names: "compile", path: /^compile$/, atLeast: parameter },
    {
      names: "runsource runcode push interact InteractiveInterpreter",
      path: /code\.|nterpreter|nsole/,
      atLeast: parameter,
    },
    { names: "__import__ import_module", atLeast: request },
    { names: "getattr", argument: 1, atLeast: request },
    {
      names: "eval query evaluate",
      path: /^(?:df|pd|pandas|numexpr|ne|\w{0,20}_df)\.\w{4,8}$/,
      atLeast: request,
    },
    { names: "timeit repeat", path: /^timeit\./, atLeast: parameter },
    {
      names: "render_template_string from_string Template",
      path: /render_template_string$|from_string$|^(?:jinja2\.|mako\.\w{0,10}\.)?Template$/,
      atLeast: request,
    },
  ],
  ruby: [
    { names: "eval instance_eval class_eval module_eval", atLeast: unknown },
    { names: "send public_send __send__ constantize const_get instance_variable_set", atLeast: request },
    { names: "new", path: /^ERB\.new$/, atLeast: request },
  ],
  php: [
    { names: "eval create_function", argument: "any", atLeast: unknown },
    { names: "assert", atLeast: parameter },
    { names: "include include_once require require_once", atLeast: request },
    {
      names:
        "call_user_func call_user_func_array array_map usort uasort uksort array_filter array_walk array_reduce preg_replace_callback register_shutdown_function",
      argument: "any",
      path: /^\w{4,40}$/,
      atLeast: request,
    },
    { names: "extract parse_str", path: /^(?:extract|parse_str)$/, atLeast: request },
    { names: "ReflectionFunction ReflectionClass", atLeast: request },
  ],
  java: [
    { names: "eval", path: /engine|script|nashorn|js|shell|interpreter|mvel/i, atLeast: unknown },
    { names: "evaluate parse", path: /GroovyShell|groovyShell|^shell\.|Eval\.me/, atLeast: unknown },
    {
      names:
        "parseExpression createValueExpression createMethodExpression compileExpression executeExpression",
      atLeast: parameter,
    },
    { names: "forName loadClass", atLeast: request },
    { names: "getValue setValue parseExpression", path: /^Ognl\./, atLeast: parameter },
    { names: "createExpression createScript", path: /jexl/i, atLeast: parameter },
    { names: "me", path: /^Eval\.me$/, atLeast: unknown },
    { names: "evaluate", path: /[vV]elocity\w{0,12}\.evaluate$/, argument: "any", atLeast: parameter },
  ],
  csharp: [
    { names: "EvaluateAsync RunAsync Create", path: /CSharpScript\./, atLeast: unknown },
    { names: "CompileAssemblyFromSource", argument: "any", atLeast: unknown },
    { names: "Load LoadFrom LoadFile UnsafeLoadFrom", path: /Assembly\./, atLeast: request },
    { names: "GetType", path: /^(?:System\.)?Type\.GetType$/, atLeast: request },
    { names: "Compute", atLeast: request },
    {
      names: "Parse Compile RunCompile",
      path: /(?:^|\.)(?:Razor|Engine\.Razor)\.\w{5,10}$/,
      atLeast: request,
    },
    { names: "InvokeScript ExecuteScriptAsync AddScript", atLeast: unknown },
  ],
  go: [
    {
      names: "Run RunString RunScript RunProgram Eval DoString",
      path: /(?:^|\.)(?:vm|otto(?:\.New\(\))?|goja(?:\.New\(\))?|runtime|interp|interpreter|L|lua|i)\.\w{1,12}$/i,
      atLeast: unknown,
    },
    { names: "Parse", path: /template\.New\(\)\.Parse$/, atLeast: request },
    { names: "Open", path: /^plugin\.Open$/, atLeast: parameter },
  ],
};

const DYNAMIC_OWNER = /^(?:window|global|globalThis|self|top)$/;

export const codeEvaluation: Rule = {
  id: "code-evaluation",
  category: "security",
  severity: "error",
  cwe: 95,
  languages: ["javascript", "python", "go", "java", "ruby", "php", "csharp", "shell", "dockerfile"],
  message: "A text that others may control is run as code.",
  suggestion:
    "Parse the text as data (JSON, a lookup table of the functions it may name) instead of running it.",
  *check(fragment) {
    if (fragment.language === "shell" || fragment.language === "dockerfile")
      return yield* shellEvaluation(fragment);
    for (const hit of reached(fragment, SINKS)) if (isCode(fragment, hit)) yield sighted(fragment, hit);
    if (fragment.language === "ruby") yield* constants(fragment);
    if (fragment.language === "javascript") {
      yield* timers(fragment);
      yield* dynamicCalls(fragment);
      yield* exposedDebuggers(fragment);
    }
  },
};

function sighted(fragment: Fragment, { call, level }: Reached): Sighting {
  const message = `${call.name}() runs ${SOURCES[level]} as code.`;
  return seenCall(fragment, call, {
    message,
    severity: level === LEVEL.unknown ? "warning" : severityOf(level),
  });
}

function isCode(fragment: Fragment, { call, argument }: Reached): boolean {
  const { language } = fragment;
  // A function is no text.
  if (/^(?:function|async|\()$/.test(fragment.text(argument.from)) && call.name !== "eval") return false;
  if (fragment.text(argument.from + 1) === "=>") return false;
  if (/^(?:instance|class|module)_eval$/.test(call.name) && fragment.text(argument.from) === "&")
    return false;
  if (language === "javascript" && call.name === "import") return true;
  return !(
    language === "python" &&
    /^(?:eval|exec)$/.test(call.name) &&
    fragment.text(call.at - 1) === "def"
  );
}

/** `params[:type].constantize`: any class can be named. */
function* constants(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(CONSTANTS)) {
    if (fragment.text(index - 1) !== ".") continue;
    const { start } = pathBefore(fragment, index);
    const level = provenanceOf(fragment).of({ from: start, to: index - 1 });
    if (level < request) continue;
    const message = `${fragment.text(index)} looks up whatever class ${SOURCES[level]} names.`;
    yield seenAt(fragment, [start, index], { message });
  }
}

const CONSTANTS = /^(?:safe_)?constantize$/;
const TIMERS = /^(?:setTimeout|setInterval|setImmediate)$/;

/** setTimeout and its like evaluate a text, and a text that is put together is one. */
function* timers(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(TIMERS)) {
    const [code] = call.args;
    if (!code) continue;
    const isText =
      fragment.tokens[code.from]?.kind === "string" ||
      hasHoles(fragment, { from: code.from, to: Math.min(code.to, code.from + 3) });
    const level = provenanceOf(fragment).of(code);
    if (isText && level >= unknown) yield sighted(fragment, { call, argument: code, level });
    else if (isText) {
      const message = `${call.name}() gets a text, which it evaluates; give it a function.`;
      yield seenCall(fragment, call, { message, severity: "info" });
    }
  }
}

/** `window[name](…)`: any global function can be named. */
function* dynamicCalls(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(DYNAMIC_OWNER)) {
    const open = fragment.tokens[index + 1];
    if (open?.text !== "[" || open.partner < 0 || fragment.text(index - 1) === ".") continue;
    const level = provenanceOf(fragment).of({ from: index + 2, to: open.partner });
    if (level < parameter) continue;
    const called = fragment.text(open.partner + 1) === "(";
    if (!called && !isCalledLater(fragment, index)) continue;
    const message = `${fragment.text(index)}[…] calls whatever global ${SOURCES[level]} names.`;
    yield seenAt(fragment, [index], { message, severity: severityOf(level) });
  }
}

function isCalledLater(fragment: Fragment, at: number): boolean {
  if (fragment.text(at - 1) !== "=" || !fragment.isWord(at - 2)) return false;
  const name = fragment.text(at - 2);
  const scope = fragment.names.functionAt(at)?.body.to ?? fragment.tokens.length;
  for (let index = at; index < scope; index++) {
    if (fragment.text(index) === name && fragment.text(index + 1) === "(") return true;
  }
  return false;
}

/** A browser that opens its debugging port runs what anyone who reaches the port sends. */
function* exposedDebuggers(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.strings) {
    const text = fragment.text(index);
    if (!text.startsWith("--remote") || !/^--remote-debugging-(?:port|address)(?:=|$)/.test(text)) continue;
    const call = fragment.calls.findLast(({ at, end }) => at < index && index < end);
    if (!call) continue;
    const message = "The browser's debugging port is opened: whoever reaches it runs code in the browser.";
    yield seenAt(fragment, [call.start, index], { message, severity: "warning" });
  }
}

const SHELL_EVAL =
  /(?:^|[\s;&|(])eval\s{1,4}(?!"?\$\((?:[\w./-]{1,60}\s{1,3}(?:-\w{1,12}\s{0,3}){0,3}(?:init|shellenv|env|hook|completion|export)\b|ssh-agent|dircolors|brew|minikube|direnv|rbenv|pyenv))(?:"[^"]{0,200}\$|\$|`)/;
const PIPED =
  /\b(?:curl|wget)\b[^|;&]{0,300}\|\s{0,4}(?:sudo\s{1,4}(?:-\w{1,4}\s{1,4})?)?(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da|k)?sh\s{1,4}<\(\s{0,3}(?:curl|wget)\b|(?:^|[\s;&])(?:source|\.)\s{1,4}<\(\s{0,3}(?:curl|wget)\b|\b(?:(?:ba|z)?sh|python[23]?|perl|ruby|node)\s{1,4}-[ce]\s{1,4}"\$\((?:curl|wget)\b|\b(?:curl|wget)\b[^|;&]{0,300}\|\s{0,4}(?:sudo\s{1,4})?(?:python[23]?|perl|ruby|node)\b(?:\s{1,3}-)?\s{0,4}(?:$|[;&|])/;

function* shellEvaluation(fragment: Fragment): Iterable<Sighting> {
  for (const [line, { added }] of fragment.lines.entries()) {
    if (!added) continue;
    const code = fragment.code(line).slice(0, 4000);
    const evaluated = fragment.language === "shell" ? SHELL_EVAL.exec(code) : null;
    const piped = PIPED.exec(code);
    if (evaluated) {
      const message = "eval runs what is in a variable as commands.";
      yield { places: [{ line, column: evaluated.index }], message, severity: "warning" };
    } else if (piped) {
      const message =
        "A script is run straight from the network: whoever controls the address or the way runs code here.";
      yield { places: [{ line, column: piped.index }], message, severity: "warning" };
    }
  }
}
