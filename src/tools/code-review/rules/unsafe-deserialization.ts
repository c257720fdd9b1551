import type { Rule, Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import type { Reader } from "../taint/sink.ts";
import { READERS } from "../taint/tables.ts";
import { seenAt, seenCall } from "./sightings.ts";

export const unsafeDeserialization: Rule = {
  id: "unsafe-deserialization",
  category: "security",
  severity: "warning",
  cwe: 502,
  languages: ["javascript", "python", "java", "ruby", "php", "csharp"],
  message: "Objects are made from bytes that can name any class; some run code while they are made.",
  suggestion:
    "Read a format that holds data alone (JSON with a schema, Protocol Buffers), or restrict the classes to a list.",
  *check(fragment) {
    const table = READERS[fragment.language] ?? [];
    for (const reader of table) {
      for (const call of fragment.callsOf(reader.names)) {
        if (matches(fragment, call, reader)) yield* sighted(fragment, call, reader);
      }
    }
    yield* typeNames(fragment);
  },
};

function matches(fragment: Fragment, call: Call, { path, unless, onlyWith }: Reader): boolean {
  const resolved = fragment.names.resolve(call.path);
  if (path && !path.test(resolved) && !path.test(call.path)) return false;
  if (!unless && !onlyWith) return true;
  const text = fragment.tokens
    .slice(call.at + 1, Math.min(call.end, call.at + 200))
    .map((token) => token.text)
    .join(" ");
  return !unless?.test(text) && (onlyWith?.test(text) ?? true);
}

function* sighted(fragment: Fragment, call: Call, { always }: Reader): Iterable<Sighting> {
  const level = call.args[0] ? provenanceOf(fragment).of(call.args[0]) : LEVEL.unknown;
  if (
    !always &&
    call.args.length > 0 &&
    level === LEVEL.literal &&
    fragment.tokens[(call.args[0] as { from: number }).from]?.kind === "string"
  )
    return;
  const message = `${call.name}() makes objects of any class that its input names.`;
  yield seenCall(fragment, call, { message, severity: level === LEVEL.request ? "error" : "warning" });
}

const TYPE_SETTINGS = /^(?:TypeNameHandling|JsonTypeInfo)$/;

/** Settings that let the input choose its types. */
function* typeNames(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(TYPE_SETTINGS)) {
    const after = fragment.text(index + 2);
    const typed = MEMBER.has(fragment.text(index + 1)) && /^(?:All|Auto|Objects|Arrays)$/.test(after);
    const jackson = fragment.text(index + 1) === "(" && hasClassId(fragment, index);
    if (!typed && !jackson) continue;
    yield seenAt(fragment, [index], { message: "The input chooses which types are made of it." });
  }
}

/** `@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)` */
function hasClassId(fragment: Fragment, index: number): boolean {
  const open = fragment.tokens[index + 1];
  for (let at = index + 2; at < (open?.partner ?? 0); at++) {
    if (/^(?:CLASS|MINIMAL_CLASS)$/.test(fragment.text(at))) return true;
  }
  return false;
}
