import type { Rule, Sighting, Variant } from "../finding.ts";
import { PART_OF_NAME } from "../flow/chain.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { reachingOf } from "../flow/reaching.ts";
import { receiverPath } from "../flow/receivers.ts";
import { makesHarmless } from "../flow/sanitizers.ts";
import { TEMPLATE_OPEN } from "../lexer/token.ts";
import { pathBefore } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";
import { textExpressionsOf } from "../syntax/text-expression.ts";
import { sinksOf } from "../taint/tables.ts";
import { isOwnPage, isTakenApart } from "./patterns/addresses.ts";
import { archives } from "./patterns/archives.ts";
import { SOURCES, seenAt, seenCall } from "./sightings/sightings.ts";
import { type Reached, reached } from "./sightings/sinks.ts";
import { saidOf, seenVariant } from "./sightings/variants.ts";

const { request, parameter } = LEVEL;

/** What opens, lists, moves or serves the file that it is given the name of. */
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
    const told: Range[] = [];
    for (const hit of reached(fragment, SINKS, "path")) {
      if (hit.variant) {
        const isHarmless = isOwnAddress(fragment, hit) || isTakenApart(fragment, hit.call);
        if (!isHarmless && isRedirect(fragment, hit))
          yield seenVariant(fragment, hit.call, hit.variant, hit.level);
        continue;
      }
      // What is joined within a call that was reported is the same flaw.
      if (hit.call.end <= outer || !isPath(fragment, hit)) continue;
      outer = hit.call.end;
      // So is what opens the name that such a call gave.
      if (isToldOf(fragment, hit, told)) continue;
      if (fragment.isAdded(fragment.lineOf(hit.call.start)))
        told.push({ from: hit.call.start, to: hit.call.end });
      yield sighted(fragment, hit);
    }
    if (fragment.language === "python") yield* joinedPaths(fragment);
    if (fragment.language === "ruby") {
      yield* renderedFiles(fragment);
      yield* listedFolders(fragment);
    }
    if (fragment.language === "java") yield* redirectingViews(fragment);
    yield* archives(fragment);
  },
};

/** Whether the file is named by nothing but what calls gave that were told of. */
function isToldOf(fragment: Fragment, { argument: { from, to } }: Reached, told: readonly Range[]): boolean {
  if (told.length === 0 || to !== from + 1 || !fragment.isWord(from)) return false;
  const given = reachingOf(fragment).definitions(fragment.text(from), from);
  return (
    given.length > 0 &&
    given.every(({ value }) => told.some((call) => value.from <= call.from && call.to <= value.to))
  );
}

/** `"redirect:" + url`, which Spring takes as the name of a view. */
function* redirectingViews(fragment: Fragment): Iterable<Sighting> {
  for (const text of textExpressionsOf(fragment)) {
    if (!text.joined || !/^redirect:\s{0,2}(?:\?|https?:\/\/\s{0,2}\?|$)/.test(text.text)) continue;
    const level = provenanceOf(fragment, "address").of(text);
    if (level >= request) yield seenAt(fragment, [text.from, text.at], saidOf("redirect", "The view", level));
  }
}

const RENDERED = /^(?:action|template|file|partial|layout)$/;

/** `render template: params[:page]` of Rails reads whatever template is named. */
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

/**
 * An address whose beginning is fixed up to its path, `"/orders/" + id`, `https://host/${id}`, or is at least not
 * named from outside: `settings.base + "/orders/" + id`.
 */
function isOwnAddress(fragment: Fragment, { argument: { from, to }, variant }: Reached): boolean {
  const begins = fragment.text(from) === TEMPLATE_OPEN ? from + 1 : from;
  if (!fragment.isString(begins)) return isOnOwnHost(fragment, { from, to }, variant);
  if (to - from === 1) return false;
  return /^(?:\/(?![/\\])|https?:\/\/[^/?#]{1,200}[/?#])/.test(
    fragment.text(begins).replace(/^\s{0,4}Location:\s{0,4}/i, ""),
  );
}

function isOnOwnHost(fragment: Fragment, { from, to }: Range, variant: Variant | undefined): boolean {
  if (variant === "request-forgery" && isOwnPage(fragment, { from, to })) return true;
  for (let index = from + 1; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.kind === "open" && token.partner > index && token.text === "(") index = token.partner;
    else if (token?.kind === "string") {
      const isPath = /^\/[^/\\]/.test(token.text) && /^[+“⟩]$/.test(fragment.text(index - 1));
      return isPath && provenanceOf(fragment, "address").of({ from, to: index - 1 }) < request;
    }
  }
  return false;
}

/** PHP's header() sends others too. */
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
    if (!isFolder(fragment, index - 1) || provenanceOf(fragment, "path").of(right) < request) continue;
    const start = givenBefore(fragment, index);
    if (start !== index && isLookedAtLater(fragment, fragment.text(start), index)) continue;
    const message = `The path gets ${SOURCES[request]}, which can lead out of the folder that was meant.`;
    yield seenAt(fragment, [start, index], { message });
  }
}

/** Tokens before an operator that may hold the name which gets the value. */
const MAX_BEFORE = 20;

/** The name that the value of an expression is given to; the expression's own token where there is none. */
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

/** A name or call that gives a path of pathlib. */
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

function sighted(fragment: Fragment, { call, level }: Reached): Sighting {
  const message = `${call.name}() gets ${SOURCES[level]}, which can lead out of the folder that was meant.`;
  // What a function is called with is its caller's affair as often as not.
  return seenCall(fragment, call, { message, severity: level === request ? "warning" : "info" });
}

function isPath(fragment: Fragment, hit: Reached): boolean {
  const { call, argument, level } = hit;
  // `Paths.get(name).getFileName()`, `Path(name).suffix`
  const behind = fragment.text(call.end + 1);
  if (MEMBER.has(fragment.text(call.end))) {
    if (makesHarmless(behind, behind, "path")) return false;
    if (fragment.language === "python" && PART_OF_NAME.test(behind)) return false;
  }
  const isJoin = /^(?:join|resolve|Join|Combine)$/.test(call.name);
  const given = isJoin ? call.args.slice(1) : [argument];
  if (level < request && !given.some((range) => isForeignName(fragment, range))) return false;
  // A root that the file must lie under.
  if (
    /^(?:sendFile|sendfile|download)$/.test(call.name) &&
    call.args.length > 1 &&
    fragment.text((call.args[1] as Range).from) !== "("
  )
    return false;
  return !isNormalised(fragment, argument) && !isChecked(fragment, hit);
}

/** `new URL(…).pathname` holds no “..” any more. */
function isNormalised(fragment: Fragment, { from, to }: Range): boolean {
  return fragment.tokens
    .slice(from, to)
    .some(({ text }, index) => text === "URL" && fragment.text(from + index - 1) === "new");
}

/** What names files elsewhere: members of archives, uploads, a mere name that is taken for a path. */
const FOREIGN = /entry|upload|archive|attachment|multipart|original_?name|file_?name/i;

/**
 * A parameter is its caller's affair as often as not, and programs hand paths around all day; one that is
 * called so came from outside.
 */
function isForeignName(fragment: Fragment, range: Range): boolean {
  if (provenanceOf(fragment, "path").of(range) < parameter) return false;
  return fragment.tokens
    .slice(range.from, range.to)
    .some(({ kind, text }) => kind === "word" && FOREIGN.test(text));
}

const CHECKS =
  /^(?:startsWith|indexOf|includes|relative|HasPrefix|startswith|is_relative_to|commonpath|commonprefix|StartsWith|starts_with|start_with\?|realpath|canonicalize|getCanonicalPath|IsLocal|Rel|normalize)$/;

/** Calls around a call, of which the outermost gives the value. */
const MAX_OUTER = 4;
/** Tokens behind a call that may hold a check of what it gave. */
const MAX_LOOKED_AT = 5000;

/** The value was stripped of “..” above, or its result is looked at below. */
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
  let { start } = call;
  // `filepath.Clean(filepath.Join(root, name))`
  for (let outer = 0; outer < MAX_OUTER && fragment.text(start - 1) === "("; outer++) {
    if (!fragment.isWord(start - 2)) break;
    start = pathBefore(fragment, start - 2).start;
  }
  const isGiven = fragment.text(start - 1) === "=" || fragment.text(start - 1) === ":=";
  return isGiven && isLookedAtLater(fragment, fragment.text(start - 2), call.end);
}

function isLookedAtLater(fragment: Fragment, named: string, from: number): boolean {
  const bodyEnd = fragment.names.functionAt(from)?.body.to ?? fragment.tokens.length;
  const end = Math.min(bodyEnd, from + MAX_LOOKED_AT);
  for (let index = from; index < end; index++) {
    if (fragment.text(index) !== named) continue;
    // `name.startsWith(`, `realpath(name)`, `relative(root, name)`, `str(name).startswith(`
    const near = [index + 2, index - 2, index - 4, index + 3];
    if (near.some((at) => CHECKS.test(fragment.text(at)))) return true;
  }
  return false;
}
