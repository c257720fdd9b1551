import type { Variant } from "../../finding.ts";
import { formatted } from "../../flow/harmless/formats.ts";
import type { Level } from "../../flow/level.ts";
import { type Provenance, provenanceOf } from "../../flow/provenance.ts";
import { receiverPath } from "../../flow/receivers.ts";
import type { Target } from "../../flow/target.ts";
import type { Given } from "../../flow/value.ts";
import type { Language } from "../../language/language.ts";
import { assignmentsTo } from "../../syntax/assignments.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import { optionsOf } from "../../syntax/options.ts";
import type { Range } from "../../syntax/range.ts";
import type { Called, Sink, Sinks } from "../../taint/sink.ts";
import { addressesIn } from "./address-arguments.ts";

export interface Reached {
  call: Call;
  argument: Range;
  level: Level;
  /** The calls in other files that pass it on. */
  by?: Given["by"];
  /** The lowest level that the sink reports. */
  atLeast?: Level;
  variant?: Variant;
  /** Whether the call itself is the fault, or the argument is found by its name, so its place does not matter. */
  certain?: true;
  /** Whether the sink selects this argument by its index. */
  placed?: true;
  says?: string;
}

/** Returns where the values of a file come from, for a target. */
export type ProvenanceOf = (fragment: Fragment, target: Target | undefined) => Provenance;

/**
 * Finds calls of sinks that receive a value of at least the sink's level.
 *
 * @param from where values come from: by default, what clients send.
 */
export function* reached(
  fragment: Fragment,
  sinks: Sinks,
  target?: Target,
  from: ProvenanceOf = provenanceOf,
): Iterable<Reached> {
  const { called, assigned } = tableOf(sinks[fragment.language] ?? []);
  for (const call of fragment.calls) {
    const known = namesOf(fragment, call).flatMap((name) => called.get(name) ?? []);
    if (known.length > 0 && !isOwnFunction(fragment, call))
      yield* firstReached(fragment, call, known, target, from);
  }
  for (const [name, known] of assigned) {
    for (const call of assignmentsTo(fragment, name))
      yield* firstReached(fragment, call, known, target, from);
  }
}

/** Whether a call without a receiver is of a function of this file, which only shares its name with a sink. */
function isOwnFunction(fragment: Fragment, { name, path }: Call): boolean {
  return path === name && !fragment.names.imports.has(name) && ownFunctionsIn(fragment).has(name);
}

/** Names of functions that no class around them owns, in languages where only those are called without a receiver. */
const ownFunctionsIn = oncePerFragment((fragment: Fragment) => {
  const own = new Set<string>();
  for (const { name, start } of fragment.names.functions) {
    if (name && STANDING[fragment.language]?.(fragment, start)) own.add(name);
  }
  return own;
});

const STANDING: Partial<Record<Language, (fragment: Fragment, start: number) => boolean>> = {
  javascript: (fragment, start) =>
    /^(?:function|async)$/.test(fragment.text(start)) && fragment.text(start - 1) !== ".",
  python: ({ tokens }, start) =>
    tokens[start]?.column === 0 || (tokens[start - 1]?.text === "async" && tokens[start - 1]?.column === 0),
  go: (fragment, start) => fragment.text(start + 1) !== "(",
};

function* firstReached(
  fragment: Fragment,
  call: Call,
  sinks: readonly Sink[],
  target: Target | undefined,
  from: ProvenanceOf,
): Iterable<Reached> {
  for (const sink of sinks) {
    if (!matchesEntry(fragment, call, sink)) continue;
    const found = worstArgument(fragment, call, sink, target, from);
    if (found) return yield found;
  }
}

/**
 * Returns the name of a call and, if the function was renamed, its exported name: `import { exec as run }`,
 * `run = promisify(exec)`.
 */
function namesOf(fragment: Fragment, { name, path }: Call): string[] {
  const origin = path === name ? fragment.names.imports.get(name) : undefined;
  const exported = origin?.slice(origin.lastIndexOf(".") + 1);
  return exported === undefined || exported === name ? [name] : [name, exported];
}

/** Finds the calls and assignments that an entry matches. */
export function* callsFor(fragment: Fragment, called: Called): Iterable<Call> {
  for (const name of called.names) {
    for (const call of called.assigned ? assignmentsTo(fragment, name) : fragment.callsNamed(name))
      if (matchesEntry(fragment, call, called)) yield call;
  }
}

/** Maximum tokens of a call that `unless` and `onlyWith` are matched against. */
const MAX_GIVEN = 200;

function matchesEntry(fragment: Fragment, call: Call, { path, unless, onlyWith }: Called): boolean {
  if (path && !isCalled(fragment, call, path)) return false;
  if (!unless && !onlyWith) return true;
  const given = fragment
    .texts({ from: call.at + 1, to: Math.min(blockEnd(fragment, call), call.at + MAX_GIVEN) })
    .join(" ");
  const held = heldBy(fragment, call);
  const says = (pattern: RegExp) => pattern.test(given) || pattern.test(held);
  return !(unless && says(unless)) && (!onlyWith || says(onlyWith));
}

/** Returns the end of a call, with the block of Ruby behind it: `Nokogiri::XML(text) { |options| options.noent }`. */
function blockEnd(fragment: Fragment, { end }: Call): number {
  const { text, partner = -1 } = fragment.tokens[end] ?? {};
  return fragment.language === "ruby" && text === "{" && partner > end ? partner : end;
}

/** Maximum tokens of a value that is read in place of its name. */
const MAX_HELD = 12;

/** Returns the values of arguments that are names: `options = { escape: false }; render(text, options)`. */
function heldBy(fragment: Fragment, { args }: Call): string {
  const held = args.flatMap(({ from, to }) => {
    if (to !== from + 1 || !fragment.isWord(from)) return [];
    const definition = fragment.names.definition(fragment.text(from), from);
    const value = definition?.kind === "assign" ? definition.value : undefined;
    return value && value.to - value.from <= MAX_HELD ? [fragment.texts(value).join(" ")] : [];
  });
  return held.join(" , ");
}

/** Whether a pattern matches a call's path, as written or with the origin of its receiver. */
export function isCalled(fragment: Fragment, { path, at, start }: Call, pattern: RegExp): boolean {
  if (pattern.test(path) || pattern.test(fragment.names.resolve(path))) return true;
  const followed = receiverPath(fragment, path, start);
  return at > start && pattern.test(followed);
}

function worstArgument(
  fragment: Fragment,
  call: Call,
  sink: Sink,
  target: Target | undefined,
  from: ProvenanceOf,
): Reached | undefined {
  const { atLeast, variant, always, option, says } = sink;
  const follower = from(fragment, variant ? targetOf(variant, target) : target);
  const about = {
    call,
    atLeast,
    ...(variant && { variant }),
    ...(typeof sink.argument === "number" && { placed: true as const }),
    ...((always || option) && { certain: true as const }),
    ...(says && { says }),
  };
  let worst: Reached | undefined;
  for (const range of argumentsFor(fragment, call, sink)) {
    const { level, by } = follower.given(range);
    if (level < atLeast || (worst && level <= worst.level)) continue;
    worst = { ...about, argument: range, level, by };
  }
  if (worst || !always) return worst;
  return { ...about, argument: call.args[0] ?? { from: call.end, to: call.end }, level: atLeast };
}

function argumentsFor(fragment: Fragment, call: Call, { argument = 0, option }: Sink): readonly Range[] {
  if (option) {
    return optionsOf(fragment, call.args).flatMap(({ name, value }) => (name === option ? [value] : []));
  }
  if (argument === "address") return addressesIn(fragment, call);
  return argument === "any"
    ? formatted(fragment, `${call.path}()`, call.args)
    : call.args.slice(argument, argument + 1);
}

function targetOf(variant: Variant, target?: Target): Target | undefined {
  if (variant === "nosql") return "document";
  return variant === "redirect" || variant === "request-forgery" ? "address" : target;
}

interface Table {
  called: Map<string, Sink[]>;
  assigned: Map<string, Sink[]>;
}

const tables = new WeakMap<readonly Sink[], Table>();

function tableOf(sinks: readonly Sink[]): Table {
  const known = tables.get(sinks);
  if (known) return known;
  const table: Table = { called: new Map(), assigned: new Map() };
  for (const sink of sinks) {
    const byName = sink.assigned ? table.assigned : table.called;
    for (const name of sink.names) byName.set(name, [...(byName.get(name) ?? []), sink]);
  }
  tables.set(sinks, table);
  return table;
}
