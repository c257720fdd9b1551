import { firstIndex } from "../../../system/binary-search.ts";
import type { Place, Rule, Sighting } from "../finding.ts";
import { chainFrom } from "../flow/chain.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Language } from "../language/language.ts";
import { HOLE_OPEN, TEMPLATE_OPEN } from "../lexer/token.ts";
import { enclosingBracket } from "../syntax/brackets.ts";
import { type Call, pathBefore } from "../syntax/calls.ts";
import { commandsIn } from "../syntax/commands.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import { sinksOf } from "../taint/tables.ts";
import { SOURCES, seenAt, seenCall, severityOf } from "./sightings/sightings.ts";
import { type Reached, reached } from "./sightings/sinks.ts";

const { request, parameter, unknown } = LEVEL;

/** Calls that evaluate a text as code. */
const SINKS = sinksOf("code-evaluation");

/** Scripts, and what holds commands for a shell: workflows, images, Terraform. */
const SCRIPTED: ReadonlySet<Language> = new Set(["shell", "yaml", "dockerfile", "other"]);

const DYNAMIC_OWNER = /^(?:window|global|globalThis|self|top)$/;

export const codeEvaluation: Rule = {
  id: "code-evaluation",
  category: "security",
  severity: "error",
  cwe: 95,
  languages: [
    "javascript",
    "python",
    "go",
    "java",
    "ruby",
    "php",
    "csharp",
    "shell",
    "yaml",
    "dockerfile",
    "other",
  ],
  partly: ["other"],
  message: "A text that others may control is run as code.",
  suggestion:
    "Parse the text as data (JSON, a lookup table of the functions it may name) instead of running it.",
  *check(fragment) {
    if (SCRIPTED.has(fragment.language)) return yield* shellEvaluation(fragment);
    for (const hit of reached(fragment, SINKS, "code"))
      if (hit.certain || isCode(fragment, hit)) yield sighted(fragment, hit);
    if (fragment.language === "ruby") {
      yield* constants(fragment);
      yield* namedBlocks(fragment);
    }
    if (fragment.language === "python") yield* namespaces(fragment);
    if (fragment.language === "php") yield* namedByValues(fragment);
    if (fragment.language === "javascript") {
      yield* timers(fragment);
      yield* dynamicCalls(fragment);
      yield* exposedDebuggers(fragment);
    }
  },
};

function sighted(fragment: Fragment, { call, argument, level, says, by }: Reached): Sighting {
  const message = says ?? `${call.name}() runs ${SOURCES[level]} as code.`;
  if (level < request && isModuleFile(fragment, call, argument))
    return seenCall(fragment, call, { message, severity: "info" });
  return seenCall(fragment, call, {
    message,
    severity: level === LEVEL.unknown ? "warning" : severityOf(level),
    by,
  });
}

const INCLUDING = /^(?:include|require)(?:_once)?$/;
const PHP_ENDING = /\.(?:php|inc|phtml)$/;
const FILE_MAKER = /(?:^|\.)(?:pathToFileURL|join|resolve)\(\)$/;
const FILE_ENDING =
  /\w\.(?:[cm]?[jt]sx?|json|vue|svelte|mdx?|node)$|^\.(?:[cm]?[jt]sx?|json|vue|svelte|mdx?)$/;

/**
 * Whether a call loads an existing file, as bundlers and programs with plug-ins do: `import(pathToFileURL(file).href)`,
 * `import(\`./locales/${language}.js\`)`, `include $folder . str_replace('\\', '/', $class) . '.php'` of PHP.
 */
function isModuleFile(fragment: Fragment, call: Call, { from, to }: Range): boolean {
  const last = fragment.text(from) === TEMPLATE_OPEN ? to - 2 : to - 1;
  const ending = fragment.isString(last) ? fragment.text(last) : "";
  if (fragment.language === "php") return INCLUDING.test(call.name) && PHP_ENDING.test(ending);
  if (fragment.language !== "javascript" || !/^(?:import|require)$/.test(call.name)) return false;
  if (FILE_ENDING.test(ending)) return true;
  const { path, end } = chainFrom(fragment, from, to, "code");
  return end === to && FILE_MAKER.test(path.replace(/\.href$/, ""));
}

function isCode(fragment: Fragment, { call, argument }: Reached): boolean {
  const { language } = fragment;
  // A function is not a text.
  const begins = fragment.text(argument.from) === "static" ? argument.from + 1 : argument.from;
  if (/^(?:function|fn|async|\()$/.test(fragment.text(begins)) && call.name !== "eval") return false;
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
    const level = provenanceOf(fragment, "code").of({ from: start, to: index - 1 });
    if (level < request) continue;
    const message = `${fragment.text(index)} looks up whatever class ${SOURCES[level]} names.`;
    yield seenAt(fragment, [start, index], { message });
  }
}

/** `rows.map(&params[:name].to_sym)` of Ruby: any method can be named. */
function* namedBlocks(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.calls) {
    const last = call.args.at(-1);
    if (!last || fragment.text(last.from) !== "&" || !fragment.isWord(last.from + 1)) continue;
    const [from, to] = [last.from + 1, last.to];
    // A single name is a block, unless its value is a name that was converted into a method.
    if (to - from === 1 && !namesMethod(fragment, from)) continue;
    if (provenanceOf(fragment, "code").of({ from, to }) < request) continue;
    const message = `${call.name} calls whatever method ${SOURCES[request]} names.`;
    yield seenCall(fragment, call, { message });
  }
}

function namesMethod(fragment: Fragment, index: number): boolean {
  const value = fragment.names.definition(fragment.text(index), index)?.value;
  return value !== undefined && /^to_(?:sym|proc)$/.test(fragment.text(value.to - 1));
}

const NAMESPACES = /^(?:globals|locals|vars|__globals__|__builtins__)$/;

/** `globals()[name]()` of Python: any function of the module can be named. */
function* namespaces(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(NAMESPACES)) {
    const open = fragment.text(index + 1) === "(" ? index + 3 : index + 1;
    const bracket = fragment.tokens[open];
    if (bracket?.text !== "[" || bracket.partner < 0) continue;
    const level = provenanceOf(fragment, "code").of({ from: open + 1, to: bracket.partner });
    if (level < request) continue;
    const message = `${fragment.text(index)} looks up whatever function ${SOURCES[level]} names.`;
    yield seenAt(fragment, [pathBefore(fragment, index).start, index], { message });
  }
}

/** `$name()`, `new $name()` of PHP: any function or class can be named. */
function* namedByValues(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(/^\$\w/)) {
    const level = provenanceOf(fragment, "code").of({ from: call.at, to: call.at + 1 });
    if (level < request || call.at !== call.start || holdsFunction(fragment, call)) continue;
    const message = `${call.name} names whatever is called here, and holds ${SOURCES[level]}.`;
    yield seenCall(fragment, call, { message });
  }
}

/** `$make = function () use ($request) {…}; $make()`: a function, whatever it captures. */
function holdsFunction(fragment: Fragment, call: Call): boolean {
  const value = fragment.names.definition(call.name, call.at)?.value;
  return value !== undefined && FUNCTION.test(fragment.text(value.from));
}

const FUNCTION = /^(?:function|fn|static)$/;
const CONSTANTS = /^(?:safe_)?constantize$/;
const TIMERS = /^(?:setTimeout|setInterval|setImmediate)$/;

/** Finds texts that are passed to setTimeout and similar functions, which evaluate them. */
function* timers(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(TIMERS)) {
    const [code] = call.args;
    if (!code) continue;
    const beginning = { from: code.from, to: Math.min(code.to, code.from + 3) };
    const isText = fragment.isString(code.from) || fragment.texts(beginning).includes(HOLE_OPEN);
    const level = provenanceOf(fragment, "code").of(code);
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
    const level = provenanceOf(fragment, "code").of({ from: index + 2, to: open.partner });
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
  return fragment.usesIn(name, { from: at, to: scope }).some((use) => fragment.text(use + 1) === "(");
}

/** Finds browsers that open their debugging port: anyone who reaches it can run code in them. */
function* exposedDebuggers(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.strings) {
    const text = fragment.text(index);
    if (!text.startsWith("--remote") || !/^--remote-debugging-(?:port|address)(?:=|$)/.test(text)) continue;
    const call = fragment.callAround(index);
    if (!call) continue;
    const message = "The browser's debugging port is opened: whoever reaches it runs code in the browser.";
    yield seenAt(fragment, [call.start, index], { message, severity: "warning" });
  }
}

const SHELL_EVAL =
  /(?<![^\s;&|(])eval\s{1,4}(?!"?\$\((?:[\w./-]{1,60}\s{1,3}(?:-\w{1,12}\s{0,3}){0,3}(?:init|shellenv|env|hook|completion|export)\b|ssh-agent|dircolors|brew|minikube|direnv|rbenv|pyenv))(?:"[^"]{0,200}\$|\$|`)/;
const PIPED =
  /\b(?:curl|wget)\b[^|;&]{0,300}\|\s{0,4}(?:sudo\s{1,4}(?:-\w{1,4}\s{1,4})?)?(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da|k)?sh\s{1,4}<\(\s{0,3}(?:curl|wget)\b|(?<![^\s;&])(?:source|\.)\s{1,4}<\(\s{0,3}(?:curl|wget)\b|\b(?:(?:ba|z)?sh|python[23]?|perl|ruby|node)\s{1,4}-[ce]\s{1,4}"\$\((?:curl|wget)\b|\b(?:curl|wget)\b[^|;&]{0,300}\|\s{0,4}(?:sudo\s{1,4})?(?:python[23]?|perl|ruby|node)\b(?:\s{1,3}-)?\s{0,4}(?:$|[;&|])/;

/** A line that only tells what to run: `echo "  curl -LsSf https://… | sh"`. */
const SAID =
  /^\s{0,40}(?:echo|printf|print|console\.log|puts)[\s(]{1,3}(?:"[^"]{0,300}"|'[^']{0,300}')\s{0,4}\)?;?\s{0,4}$/;

const SAYING = /^(?:echo|printf|print)$/;
/** What precedes the first word of a command on its line. */
const BEFORE_COMMAND = /^(?:;|&|&&|\|\||\||\{|\(|then|do|else)$/;

/** Whether a place is in a text of several lines that a command only prints. */
function isSaid(fragment: Fragment, { line, column }: Place): boolean {
  const { tokens } = fragment;
  let at = firstIndex(tokens, (each) => each.line > line || (each.line === line && each.column > column)) - 1;
  const open = enclosingBracket(fragment, at);
  if (open !== undefined && fragment.text(open) === TEMPLATE_OPEN) at = open;
  else if (!fragment.isString(at)) return false;
  const end = fragment.text(at) === TEMPLATE_OPEN ? (tokens[at]?.partner ?? at) : at;
  if (fragment.text(end + 1) === "|") return false;
  const first = fragment.lineOf(at);
  while (fragment.lineOf(at - 1) === first && !BEFORE_COMMAND.test(fragment.text(at - 1))) at--;
  return SAYING.test(fragment.text(at));
}

const MAKEFILE = /(?:^|\/)(?:GNU)?makefile[^/]{0,40}$|\.mk$/i;

function* shellEvaluation(fragment: Fragment): Iterable<Sighting> {
  for (const { code, placesAt } of commandsIn(fragment)) {
    // Make's own eval defines a rule: `$(eval $(RULE))`.
    const commands = MAKEFILE.test(fragment.path) ? code.replace(/\$\(eval\b/g, "") : code;
    const evaluated = fragment.language === "shell" ? SHELL_EVAL.exec(commands) : null;
    const piped = SAID.test(code) ? null : PIPED.exec(code);
    if (evaluated) {
      const message = "eval runs what is in a variable as commands.";
      yield { places: placesAt(evaluated.index), message, severity: "warning" };
    } else if (piped && !isSaid(fragment, placesAt(piped.index)[0])) {
      const message =
        "A script is run straight from the network: whoever controls the address or the connection runs code here.";
      yield { places: placesAt(piped.index), message, severity: "warning" };
    }
  }
}
