import type { Level } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import type { Sink, Sinks } from "../taint/sink.ts";

export interface Reached {
  call: Call;
  argument: Range;
  level: Level;
}

/** Calls of sinks that get a value of at least the sink's level. */
export function* reached(fragment: Fragment, sinks: Sinks): Iterable<Reached> {
  const byName = tableOf(sinks[fragment.language] ?? []);
  if (byName.size === 0) return;
  for (const call of fragment.calls) {
    const known = byName.get(call.name);
    if (!known) continue;
    for (const sink of known) {
      if (sink.path && !sink.path.test(fragment.names.resolve(call.path))) continue;
      const found = worstArgument(fragment, call, sink);
      if (!found) continue;
      yield found;
      break;
    }
  }
}

function worstArgument(fragment: Fragment, call: Call, { argument = 0, atLeast }: Sink): Reached | undefined {
  const args = argument === "any" ? call.args : call.args.slice(argument, argument + 1);
  let worst: Reached | undefined;
  for (const range of args) {
    const level = provenanceOf(fragment).of(range);
    if (level >= atLeast && (!worst || level > worst.level)) worst = { call, argument: range, level };
  }
  return worst;
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
