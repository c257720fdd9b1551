import type { Rule, Sighting } from "../finding.ts";
import { isCheckedLater, isLookedAtLater } from "../flow/guards/checked-later.ts";
import { staysBelow } from "../flow/harmless/paths.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { reachingOf } from "../flow/reaching.ts";
import { receiverPath } from "../flow/receivers.ts";
import { TEMPLATE_OPEN } from "../lexer/token.ts";
import { type Call, splitAtCommas } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { FunctionScope } from "../syntax/functions/functions.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import { objectOf, optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";
import { textExpressionsOf } from "../syntax/text-expression.ts";
import { sinksOf } from "../taint/tables.ts";
import { isNormalised, isOwnAddress, isTakenApart } from "./patterns/addresses/addresses.ts";
import { locationHeaders } from "./patterns/addresses/location-headers.ts";
import { archives, holdsMemberName, isOpenFile, OF_ARCHIVE } from "./patterns/archives.ts";
import { isPartTaken } from "./patterns/part-of-path.ts";
import { SOURCES, seenAt, seenCall } from "./sightings/sightings.ts";
import { type Reached, reached } from "./sightings/sinks.ts";
import { saidOf, seenVariant } from "./sightings/variants.ts";

const { request, parameter } = LEVEL;

/** Calls that open, list, move or serve the file that an argument names. */
const SINKS = sinksOf("path-traversal");

export const pathTraversal: Rule = {
  id: "path-traversal",
  category: "security",
  severity: "warning",
  cwe: 22,
  languages: ["javascript", "python", "go", "java", "ruby", "php", "csharp", "rust"],
  message: "A file is named by a value that can hold “..” and so lead out of the folder that was meant.",
  suggestion:
    "Resolve the path, then make sure that it is still in the folder; or look the name up in a list.",
  *check(fragment) {
    let outer = -1;
    const reported: Range[] = [];
    for (const hit of reached(fragment, SINKS, "path")) {
      if (hit.variant) {
        const isHarmless =
          isOwnAddress(fragment, hit.argument, hit.variant) || isTakenApart(fragment, hit.call);
        if (!isHarmless && isRedirect(fragment, hit)) yield seenVariant(fragment, hit.call, hit.variant, hit);
        continue;
      }
      // A join within a reported call is the same flaw.
      if (hit.call.end <= outer || !isPath(fragment, hit)) continue;
      outer = hit.call.end;
      // So is a call that opens the path that a reported call returned.
      if (isReported(fragment, hit, reported)) continue;
      if (fragment.isAdded(fragment.lineOf(hit.call.start)))
        reported.push({ from: hit.call.start, to: hit.call.end });
      yield sighted(fragment, hit);
    }
    if (fragment.language === "python") yield* joinedPaths(fragment);
    if (fragment.language === "ruby") {
      yield* renderedFiles(fragment);
      yield* listedFolders(fragment);
    }
    if (fragment.language === "java") yield* redirectingViews(fragment);
    yield* locationHeaders(fragment);
    yield* archives(fragment, SINKS);
  },
};

/** Whether a path comes only from calls that are reported already. */
function isReported(
  fragment: Fragment,
  { argument: { from, to } }: Reached,
  reported: readonly Range[],
): boolean {
  // `FileResponse(open(path, "rb"))`
  const isOpened = fragment.text(from) === "open" && fragment.tokens[from + 1]?.partner === to - 1;
  const at = isOpened ? from + 2 : from;
  const isName = isOpened ? /^[,)]$/.test(fragment.text(at + 1)) : to === from + 1;
  if (reported.length === 0 || !isName || !fragment.isWord(at)) return false;
  const given = reachingOf(fragment).definitions(fragment.text(at), at);
  return (
    given.length > 0 &&
    given.every(({ value }) => reported.some((call) => value.from <= call.from && call.to <= value.to))
  );
}

/** `"redirect:" + url`, which Spring takes as the name of a view. */
function* redirectingViews(fragment: Fragment): Iterable<Sighting> {
  for (const text of textExpressionsOf(fragment)) {
    if (!text.joined || !/^redirect:\s{0,2}(?:\?|https?:\/\/\s{0,2}\?|$)/.test(text.text)) continue;
    const given = provenanceOf(fragment, "address").given(text);
    if (given.level >= request)
      yield seenAt(fragment, [text.from, text.at], saidOf("redirect", "The view", given));
  }
}

const RENDERED = /^(?:action|template|file|partial|layout)$/;

/** `render template: params[:page]` of Rails reads any template that is named. */
function* renderedFiles(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(/^render(?:_to_string)?$/)) {
    const named = optionsOf(fragment, call.args).filter(({ name }) => RENDERED.test(name));
    const levels = named.map(({ value }) => provenanceOf(fragment, "path").of(value));
    if (!levels.includes(request)) continue;
    const message = `${call.name} reads the template that ${SOURCES[request]} names.`;
    yield seenCall(fragment, call, { message });
  }
}

/** `Dir[params[:folder]]` of Ruby. */
function* listedFolders(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("Dir") ?? []) {
    const open = fragment.tokens[index + 1];
    if (open?.text !== "[" || open.partner < 0) continue;
    if (provenanceOf(fragment, "path").of({ from: index + 2, to: open.partner }) < request) continue;
    const message = `Dir[] lists the files that ${SOURCES[request]} names.`;
    yield seenAt(fragment, [index], { message });
  }
}

/** Whether a call redirects: PHP's header() sends other headers too. */
function isRedirect(fragment: Fragment, { call, argument }: Reached): boolean {
  if (call.name !== "header") return true;
  const begins = fragment.text(argument.from) === TEMPLATE_OPEN ? argument.from + 1 : argument.from;
  return /^\s{0,4}(?:Location|Refresh)\b/i.test(fragment.text(begins));
}

/** `folder / name` of Python's pathlib. */
function* joinedPaths(fragment: Fragment): Iterable<Sighting> {
  for (const [index, { kind, text }] of fragment.tokens.entries()) {
    if (kind !== "mark" || text !== "/" || !fragment.isWord(index + 1)) continue;
    const end = joinedEnd(fragment, index + 1);
    const right = { from: index + 1, to: end };
    if (!isFolder(fragment, index - 1)) continue;
    const { level, by } = provenanceOf(fragment, "path").given(right);
    const isRequest = level >= request;
    if (!isRequest && !holdsMemberName(fragment, right)) continue;
    const start = givenBefore(fragment, index);
    if (start !== index && isLookedAtLater(fragment, fragment.text(start), index)) continue;
    const message = `The path gets ${SOURCES[request]}, which can lead out of the folder that was meant.`;
    yield seenAt(fragment, [start, index], { message: isRequest ? message : OF_ARCHIVE, by });
  }
}

/** Maximum tokens before an operator that are searched for the name that its value is assigned to. */
const MAX_BEFORE = 20;

/** Returns the name that an expression is assigned to, or the expression's own token if there is none. */
function givenBefore(fragment: Fragment, at: number): number {
  const { line } = fragment.tokens[at] as { line: number };
  for (let index = at; index > at - MAX_BEFORE && fragment.lineOf(index) === line; index--) {
    if (fragment.text(index) === "=" && fragment.isWord(index - 1)) return index - 1;
  }
  return at;
}

function joinedEnd(fragment: Fragment, from: number): number {
  let end = from + 1;
  for (;;) {
    const token = fragment.tokens[end];
    if (token?.kind === "open" && token.partner > end) end = token.partner + 1;
    else if (MEMBER.has(token?.text ?? "")) end += 2;
    else return end;
  }
}

/** Whether a name or call is a path of pathlib. */
function isFolder(fragment: Fragment, last: number): boolean {
  const token = fragment.tokens[last];
  if (token?.kind === "close") {
    const open = token.partner;
    return (
      open > 0 && /(?:^|\.)(?:Path|PurePath|PosixPath)$/.test(fragment.names.resolve(fragment.text(open - 1)))
    );
  }
  if (token?.kind !== "word") return false;
  return /^(?:pathlib\.)?(?:Path|PurePath|PosixPath)\(\)/.test(
    receiverPath(fragment, `${token.text}.`, last),
  );
}

function sighted(fragment: Fragment, { call, level, by }: Reached): Sighting {
  const message = `${call.name}() gets ${SOURCES[level]}, which can lead out of the folder that was meant.`;
  // Callers often check the parameters that they pass.
  return seenCall(fragment, call, { message, severity: level === request ? "warning" : "info", by });
}

const SERVING = /^(?:sendFile|sendfile|download)$/;

/** Whether another argument sets a root that the file must lie under: `{ root: "uploads" }`, or options by their name. */
function isBelowRoot(fragment: Fragment, { args }: Call): boolean {
  return args.slice(1).some((argument) => {
    const object = objectOf(fragment, argument);
    // `{ root: "uploads" }`, `{ root }`
    if (object) return splitAtCommas(fragment, object).some(({ from }) => fragment.text(from) === "root");
    return (
      argument.to === argument.from + 1 &&
      /^(?:root|opt(?:ion)?s|config)$/i.test(fragment.text(argument.from))
    );
  });
}

function isPath(fragment: Fragment, hit: Reached): boolean {
  const { call, argument, level } = hit;
  if (isOpenFile(fragment, argument)) return false;
  if (isPartTaken(fragment, call)) return false;
  const isJoin = /^(?:join|resolve|Join|Combine)$/.test(call.name);
  const given = isJoin ? call.args.slice(1) : [argument];
  if (isJoin && staysBelow(fragment, call.name, argument)) return false;
  if (level < request && !given.some((range) => isForeignName(fragment, range))) return false;
  if (SERVING.test(call.name) && isBelowRoot(fragment, call)) return false;
  return !isNormalised(fragment, argument) && !isChecked(fragment, hit);
}

/** Names of values that come from outside: members of archives, uploads, file names used as paths. */
const FOREIGN = /entry|upload|archive|attachment|multipart|original_?name|file_?name/i;

/**
 * Whether the name of a parameter says that it came from outside. Programs pass paths between functions all the
 * time, and callers often check them, so other parameters do not count.
 */
function isForeignName(fragment: Fragment, range: Range): boolean {
  if (provenanceOf(fragment, "path").of(range) < parameter) return false;
  return fragment.tokens
    .slice(range.from, range.to)
    .some(({ kind, text }) => kind === "word" && FOREIGN.test(text));
}

/** Whether “..” is stripped from the value above, or the result is checked below. */
function isChecked(fragment: Fragment, { call, argument }: Reached): boolean {
  for (let index = argument.from; index < argument.to; index++) {
    const definition = fragment.isWord(index)
      ? fragment.names.definition(fragment.text(index), index)
      : undefined;
    if (!definition) continue;
    for (let at = definition.value.from; at < definition.value.to; at++) {
      if (fragment.tokens[at]?.kind === "regex" && fragment.text(at).includes("\\.")) return true;
    }
  }
  return isCheckedLater(fragment, call) || isRelatedBefore(fragment, call, argument);
}

/** `path.relative_to(folder)` of pathlib raises where the path leads out of the folder. */
function isRelatedBefore(fragment: Fragment, { start: used }: Call, { from, to }: Range): boolean {
  if (fragment.language !== "python" || to !== from + 1) return false;
  const related = relatedIn(fragment).get(fragment.names.functionAt(used))?.get(fragment.text(from));
  return related !== undefined && related < used;
}

/** By function and by name of a path, the first call of `relative_to`. */
const relatedIn = oncePerFragment((fragment: Fragment) => {
  const byFunction = new Map<FunctionScope | undefined, Map<string, number>>();
  for (const { start, at } of fragment.callsNamed("relative_to")) {
    const scope = fragment.names.functionAt(at);
    const first = byFunction.get(scope) ?? new Map<string, number>();
    byFunction.set(scope, first);
    const name = fragment.text(start);
    if (!first.has(name)) first.set(name, at);
  }
  return byFunction;
});
