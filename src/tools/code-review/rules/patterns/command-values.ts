import type { Sighting } from "../../finding.ts";
import { highest, LEVEL, type Level } from "../../flow/level.ts";
import { literalIn } from "../../flow/literal.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import { pathBefore, splitAtCommas } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { optionsIn } from "../../syntax/options.ts";
import { SOURCES, seenAt, severityOf } from "../sightings/sightings.ts";

const SHELL = /(?:^|\/)(?:ba|da|z|k)?sh$/;

/** `exec.Cmd{Path: name, Args: …}` of Go. */
export function* commandsMade(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("Cmd") ?? []) {
    const open = fragment.tokens[index + 1];
    if (open?.text !== "{" || open.partner < 0 || fragment.text(index - 2) !== "exec") continue;
    const members = optionsIn(fragment, { from: index + 2, to: open.partner });
    const path = members.find(({ name }) => name === "Path");
    const shell = path && SHELL.test(literalIn(fragment, path.value)?.text ?? "");
    const given = members.filter(({ name }) => name === "Path" || (shell && name === "Args"));
    const level = highest(given.map(({ value }) => provenanceOf(fragment, "shell").of(value)));
    if (level < LEVEL.parameter) continue;
    yield* said(fragment, index, level);
  }
}

const OPERATORS = /^(?:lazyLines|lineStream|lineStream_!|lines_!)$/;

/** `command.!!`, `command !`, `command.lazyLines` of Scala, if its process package is imported. */
export function* processOperators(fragment: Fragment): Iterable<Sighting> {
  if (!fragment.path.endsWith(".scala") || !importsProcesses(fragment)) return;
  for (const [index, { kind, text }] of fragment.tokens.entries()) {
    const lazily = kind === "word" && OPERATORS.test(text) && fragment.text(index - 1) === ".";
    const runs =
      kind === "mark" && text === "!" && fragment.text(index - 1) !== "!" && !isNot(fragment, index);
    if (!lazily && !runs) continue;
    const last = fragment.text(index - 1) === "." ? index - 2 : index - 1;
    const { start } = valueBefore(fragment, last);
    if (isFixedProgram(fragment, start, last)) continue;
    const level = provenanceOf(fragment, "shell").of({ from: start, to: last + 1 });
    if (level >= LEVEL.parameter) yield* said(fragment, start, level as Level);
  }
}

/** `Seq("ls", folder)`: arguments of a fixed program other than a shell run no commands. */
function isFixedProgram(fragment: Fragment, start: number, last: number): boolean {
  const open = fragment.tokens[start + 1];
  if (!/^(?:Seq|List|Vector|Array)$/.test(fragment.text(start)) || open?.partner !== last) return false;
  const program = splitAtCommas(fragment, { from: start + 2, to: last })[0];
  const name = program && literalIn(fragment, program)?.text;
  return name !== undefined && !SHELL.test(name);
}

function importsProcesses(fragment: Fragment): boolean {
  return (fragment.words.get("process") ?? []).some((at) => fragment.text(at - 2) === "sys");
}

/** Whether a `!` negates a condition or sends a message to an actor. One that runs a command ends it. */
function isNot(fragment: Fragment, at: number): boolean {
  const [before, after] = [fragment.tokens[at - 1], fragment.tokens[at + 1]];
  const goesOn = after !== undefined && after.line === before?.line && after.kind !== "close";
  if (goesOn && !/^[!;.]$/.test(after.text)) return true;
  return !/^(?:word|close|string)$/.test(before?.kind ?? "") && before?.text !== ".";
}

function valueBefore(fragment: Fragment, last: number): { start: number } {
  const token = fragment.tokens[last];
  if (token?.kind !== "close" || token.partner < 0) return pathBefore(fragment, last);
  const open = token.partner;
  return fragment.isWord(open - 1) ? pathBefore(fragment, open - 1) : { start: open };
}

function* said(fragment: Fragment, at: number, level: Level): Iterable<Sighting> {
  const message = `A command is run that holds ${SOURCES[level]}.`;
  yield seenAt(fragment, [at], { message, severity: severityOf(level) });
}
