import type { Rule, Sighting } from "../finding.ts";
import { highest, LEVEL, type Level } from "../flow/level.ts";
import { literalIn } from "../flow/literal.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { receiverPath } from "../flow/receivers.ts";
import { type Given, highestOf } from "../flow/value.ts";
import { PROGRAMS } from "../language/language.ts";
import { TEMPLATE_OPEN, type Token } from "../lexer/token.ts";
import type { Call } from "../syntax/calls.ts";
import { membersOf } from "../syntax/definitions/definitions.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";
import { sinksOf } from "../taint/tables.ts";
import { commandsMade, processOperators } from "./patterns/command-values.ts";
import { startInfos } from "./patterns/process-starts.ts";
import { startsOwnProgram } from "./patterns/program-lists.ts";
import { expressionsInWorkflow, shellCommands } from "./patterns/shell-text.ts";
import { SOURCES, seenAt, seenCall, severityOf } from "./sightings/sightings.ts";
import { type Reached, reached } from "./sightings/sinks.ts";

const { parameter, unknown } = LEVEL;

/** Calls that pass a text to a shell, or start the program that it names. */
const SINKS = sinksOf("command-injection");

const SHELLS =
  /^(?:\/(?:usr\/)?bin\/)?(?:env )?(?:ba|z|k|da|c|fi|a)?sh(?:\.exe)?$|^cmd(?:\.exe)?$|^(?:powershell|pwsh)(?:\.exe)?$/i;
/** Programs that run the text behind an option, and that option: `ruby -c` only checks a file. */
const INTERPRETERS = [
  { program: /^(?:\/(?:usr\/)?bin\/)?python[\d.]{0,4}$/, option: /^-c$/ },
  { program: /^(?:\/(?:usr\/)?bin\/)?php$/, option: /^-r$/ },
  {
    program: /^(?:\/(?:usr\/)?bin\/)?(?:perl|ruby|node|lua|osascript)$/,
    option: /^(?:-[eEp]|--eval|--print)$/,
  },
];
/** Calls that start a program, on any receiver. */
const STARTERS =
  /^(?:spawn|spawnSync|crossSpawn|execFile|execFileSync|execa|execaSync|command|exec|Command|CommandContext|ProcessBuilder|ProcessStartInfo|run|Popen|call|check_call|check_output|Start|args?|system|popen[23]?e?|capture[23]e?|execl|execlp|execv|execvp|execve|create_subprocess_exec)$/;
/** Calls that add arguments to a program in Rust. */
const ADDING = /^args?$/;

export const commandInjection: Rule = {
  id: "command-injection",
  category: "security",
  severity: "error",
  cwe: 78,
  languages: [...PROGRAMS, "shell", "yaml"],
  message: "A command is put together from text that others may control.",
  suggestion:
    "Start the program without a shell, its name fixed and every argument a list member of its own.",
  *check(fragment) {
    if (fragment.language === "shell") return yield* shellCommands(fragment);
    if (fragment.language === "yaml") return yield* expressionsInWorkflow(fragment);
    for (const hit of reached(fragment, SINKS, "shell"))
      if (hit.certain || hit.placed || isCommand(fragment, hit))
        yield sighted(fragment, hit.call, hit, hit.says);
    for (const call of fragment.callsOf(STARTERS)) {
      const found = [...(ADDING.test(call.name) ? addedTo(fragment, call) : shellCalls(fragment, call))];
      yield* found.length > 0 ? found : shellOption(fragment, call);
    }
    yield* backticks(fragment);
    if (fragment.language === "go") yield* commandsMade(fragment);
    if (fragment.language === "java") yield* processOperators(fragment);
    if (fragment.language === "csharp") yield* startInfos(fragment);
  },
};

function sighted(fragment: Fragment, call: Call, { level, by }: Given, says?: string): Sighting {
  const message = says ?? `${call.name}() runs a command that holds ${SOURCES[level]}.`;
  // In a shell, whatever is not fixed can end one command and begin another.
  return seenCall(fragment, call, {
    message,
    severity: level === LEVEL.unknown ? "warning" : severityOf(Math.max(level, parameter) as Level),
    by,
  });
}

/** Whether an argument is a command or names a program. A list of arguments with a fixed program reaches no shell. */
function isCommand(fragment: Fragment, { call, argument }: Reached): boolean {
  const { language } = fragment;
  const provenance = provenanceOf(fragment, "shell");
  // The mode comes first, then the program.
  if (/^spawn[lv]p?e?$/.test(call.name)) {
    const program = call.args[1];
    return program !== undefined && (provenance.of(program) >= unknown || isShell(fragment, program));
  }
  if (language === "go" && /^(?:Exec|ForkExec|StartProcess)$/.test(call.name)) return true;
  const splat = language === "ruby" && fragment.text(argument.from) === "*";
  if (splat && fragment.text(argument.from + 1) === TEMPLATE_OPEN) return isWordsForShell(fragment, argument);
  const listed = membersOf(fragment, listIn(fragment, argument));
  if (listed.length > 0)
    return provenance.of(listed[0] as Range) >= LEVEL.parameter || isShell(fragment, listed[0] as Range);
  const first = call.args[0];
  // The program comes second: in Go behind a context, in Python's event loop behind the protocol factory.
  if (/^(?:CommandContext|subprocess_exec)$/.test(call.name)) {
    const program = call.args[1];
    return program !== undefined && (argument === program || provenance.of(program) >= parameter);
  }
  if (startsOwnProgram(fragment, call)) return false;
  if (language === "csharp" && isStartInfo(fragment, argument)) return false;
  if (!first || argument === first) return true;
  if (language === "c" || language === "cpp") return !/^_?popen$/.test(call.name);
  // Arguments of a fixed program are not commands.
  return false;
}

/** Whether an argument is an object that says what to start, which is looked at where it is made. */
function isStartInfo(fragment: Fragment, { from, to }: Range): boolean {
  if (fragment.text(from) === "new") return fragment.text(from + 1) === "ProcessStartInfo";
  return to === from + 1 && /^ProcessStartInfo\b/.test(receiverPath(fragment, fragment.text(from), from));
}

/** `*%W(ls #{folder})`: whether the first word, the program, is a shell or not fixed. */
function isWordsForShell(fragment: Fragment, { from }: Range): boolean {
  const program = fragment.isString(from + 2)
    ? (/^\s{0,9}(\S{1,80})\s/.exec(fragment.text(from + 2))?.[1] ?? "")
    : "";
  return program === "" || SHELLS.test(program);
}

/** Returns the list that an argument begins with, or that its name was given: `["ls", folder] + more`, `*command`. */
function listIn(fragment: Fragment, { from, to }: Range): Range {
  const at = fragment.text(from) === "*" ? from + 1 : from;
  const isName = fragment.isWord(at) && to === at + 1;
  const given = isName ? [...fragment.names.before(fragment.text(at), at)] : [];
  const value = given.find(({ kind }) => kind === "assign")?.value ?? { from: at, to };
  const { text, partner = -1 } = fragment.tokens[value.from] ?? {};
  return text === "[" && fragment.text(partner + 1) === "+" ? { from: value.from, to: partner + 1 } : value;
}

function isShell(fragment: Fragment, range: Range): boolean {
  const program = literalIn(fragment, range)?.text;
  return program !== undefined && SHELLS.test(program);
}

/** Finds shells started by name, interpreters given code, and `git clone` of an argument that may be an option. */
function* shellCalls(fragment: Fragment, call: Call): Iterable<Sighting> {
  const provenance = provenanceOf(fragment, "shell");
  const literal = (range: Range) => literalIn(fragment, range)?.text ?? "";
  const context = call.name === "CommandContext" ? 1 : 0;
  const parts = call.args.slice(context).flatMap((range) => {
    const members = membersOf(fragment, optionValue(fragment, range));
    return members.length > 0 ? members : [range];
  });
  const [program, ...rest] = parts;
  if (!program) return;
  if (isShell(fragment, program)) {
    const given = rest.filter((range) => !isObject(fragment, range));
    const worst = highestOf(given.map((range) => provenance.given(range)));
    const culprit = rest.find((range) => provenance.of(range) === worst.level);
    if (culprit && worst.level >= unknown)
      yield { ...sighted(fragment, call, worst), places: placesAt(fragment, call, culprit) };
    return;
  }
  const interpreter = INTERPRETERS.find((each) => each.program.test(literal(program)));
  if (interpreter) {
    const flag = rest.findIndex((range) => interpreter.option.test(literal(range)));
    const code = flag < 0 ? undefined : rest[flag + 1];
    const given = code && provenance.given(code);
    if (given && given.level >= parameter) yield sighted(fragment, call, given);
  } else if (literal(program) === "git") {
    const [verb, ...others] = rest.map(literal);
    const level = highest(rest.slice(1).map((range) => provenance.of(range)));
    if (!/^(?:clone|fetch|pull|ls-remote)$/.test(verb ?? "") || level < parameter || others.includes("--"))
      return;
    const message = `git ${verb} gets ${SOURCES[level]}, which can begin with "--upload-pack" and so name a command.`;
    yield seenCall(fragment, call, { message, severity: severityOf(level) });
  } else if (call.path === "Deno.run") {
    const given = provenance.given(program);
    if (given.level >= parameter)
      yield { ...sighted(fragment, call, given), places: placesAt(fragment, call, program) };
  }
}

/** `Command::new("sh").arg("-c").arg(text)` of Rust. */
function* addedTo(fragment: Fragment, call: Call): Iterable<Sighting> {
  if (fragment.language !== "rust" || !/Command\.new\(\)/.test(call.path)) return;
  let made = call.start;
  while (made < call.at && fragment.text(made) !== "new") made++;
  const open = fragment.tokens[made + 1];
  const program = open?.text === "(" ? { from: made + 2, to: open.partner } : undefined;
  const given = call.args[0] && provenanceOf(fragment, "shell").given(call.args[0]);
  if (program && given && isShell(fragment, program) && given.level >= unknown)
    yield sighted(fragment, call, given);
}

/** Returns the list of arguments in an object of options: Deno names it `cmd`. */
function optionValue(fragment: Fragment, range: Range): Range {
  return optionsOf(fragment, [range]).find(({ name }) => name === "cmd" || name === "args")?.value ?? range;
}

function isObject(fragment: Fragment, { from }: Range): boolean {
  return fragment.text(from) === "{";
}

/** Returns the places of a call. Deno's list of arguments is on a line of its own, which comes first. */
function placesAt(fragment: Fragment, call: Call, culprit: Range) {
  const own = /^Deno\./.test(call.path) ? [culprit.from, call.start] : [call.start, culprit.from];
  return seenAt(fragment, own).places;
}

/** `shell: true`, `shell=True`: the arguments are joined and read by a shell. */
function* shellOption(fragment: Fragment, call: Call): Iterable<Sighting> {
  const { language } = fragment;
  if (language !== "javascript" && language !== "python") return;
  if (
    !/^(?:spawn|spawnSync|crossSpawn|execFile|execFileSync|execa|execaSync|run|Popen|call|check_call|check_output)$/.test(
      call.name,
    )
  )
    return;
  const option = optionsOf(fragment, call.args).find(({ name }) => name === "shell");
  const value = option && fragment.tokens[option.value.from];
  if (!option || !value || value.text === "false" || value.text === "False") return;
  const given = call.args.filter(
    ({ from }) => !isObject(fragment, { from, to: from }) && fragment.text(from + 1) !== "=",
  );
  const worst = highestOf(given.map((range) => provenanceOf(fragment, "shell").given(range)));
  if (worst.level >= LEVEL.unknown) {
    yield { ...sighted(fragment, call, worst), places: seenAt(fragment, [call.start, option.at]).places };
  } else if (language === "javascript") {
    const message = `${call.name}() goes through a shell without need; its arguments are fixed today.`;
    yield seenAt(fragment, [call.start, option.at], { message, severity: "info" });
  }
}

/** Returns the first two characters of a string as written in the file. */
function opening(fragment: Fragment, { line, column }: Token): string {
  return fragment.lines[line]?.text.slice(column, column + 2) ?? "";
}

/** Commands between backticks, or `%x(…)`, which Ruby and PHP run. */
function* backticks(fragment: Fragment): Iterable<Sighting> {
  if (fragment.language !== "ruby" && fragment.language !== "php") return;
  for (const [index, token] of fragment.tokens.entries()) {
    if (token.text !== TEMPLATE_OPEN || !/^(?:`|%x)/.test(opening(fragment, token))) continue;
    const level = provenanceOf(fragment, "shell").of({ from: index + 1, to: token.partner });
    if (level < LEVEL.unknown) continue;
    const message = `A command between backticks holds ${SOURCES[level]}.`;
    yield seenAt(fragment, [index], {
      message,
      severity: level === LEVEL.unknown ? "warning" : severityOf(level),
    });
  }
}
