import type { Variant } from "../../finding.ts";
import type { Level } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import { receiverPath } from "../../flow/receivers.ts";
import type { Target } from "../../flow/target.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import type { Sink, Sinks } from "../../taint/sink.ts";

export interface Reached {
  call: Call;
  argument: Range;
  level: Level;
  /** From which level on the sink counts. */
  atLeast?: Level;
  variant?: Variant;
}

/** Calls of sinks that get a value of at least the sink's level. */
export function* reached(fragment: Fragment, sinks: Sinks, target?: Target): Iterable<Reached> {
  const byName = tableOf(sinks[fragment.language] ?? []);
  if (byName.size === 0) return;
  for (const call of fragment.calls) {
    const known = byName.get(call.name);
    if (!known) continue;
    for (const sink of known) {
      if (sink.path && !isCalled(fragment, call, sink.path)) continue;
      const found = worstArgument(fragment, call, sink, target);
      if (!found) continue;
      yield found;
      break;
    }
  }
}

/** True of a call by its path as written, or by what its receiver was made by. */
export function isCalled(fragment: Fragment, { path, at, start }: Call, pattern: RegExp): boolean {
  if (pattern.test(fragment.names.resolve(path))) return true;
  const followed = receiverPath(fragment, path, start);
  return at > start && pattern.test(followed);
}

function worstArgument(
  fragment: Fragment,
  call: Call,
  { argument = 0, atLeast, variant }: Sink,
  target?: Target,
): Reached | undefined {
  const follower = provenanceOf(fragment, variant ? targetOf(variant, target) : target);
  const args = argument === "any" ? call.args : call.args.slice(argument, argument + 1);
  let worst: Reached | undefined;
  for (const range of args) {
    const level = follower.of(range);
    if (level < atLeast || (worst && level <= worst.level)) continue;
    worst = { call, argument: range, level, atLeast, ...(variant && { variant }) };
  }
  return worst;
}

function targetOf(variant: Variant, target?: Target): Target | undefined {
  return variant === "redirect" || variant === "request-forgery" ? "address" : target;
}

const tables = new WeakMap<readonly Sink[], Map<string, Sink[]>>();

function tableOf(sinks: readonly Sink[]): Map<string, Sink[]> {
  const known = tables.get(sinks);
  if (known) return known;
  const table = new Map<string, Sink[]>();
  for (const sink of sinks) {
    for (const name of sink.names) table.set(name, [...(table.get(name) ?? []), sink]);
  }
  tables.set(sinks, table);
  return table;
}
