import type { Rule, Sighting } from "../finding.ts";
import { chainFrom } from "../flow/chain.ts";
import { LEVEL, type Level } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { receiverPath } from "../flow/receivers.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import type { Reader } from "../taint/sink.ts";
import { READERS } from "../taint/tables.ts";
import { xmlFactories, xmlTextReaders } from "./patterns/xml-factories.ts";
import { seenAt, seenCall } from "./sightings/sightings.ts";
import { callsFor } from "./sightings/sinks.ts";
import { seenVariant } from "./sightings/variants.ts";

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
    for (const reader of READERS[fragment.language] ?? []) {
      for (const call of callsFor(fragment, reader)) {
        if (!isMadeHere(fragment, call) && !isOwnCopy(fragment, call)) yield* sighted(fragment, call, reader);
      }
    }
    yield* typeNames(fragment);
    if (fragment.language === "python") yield* entityParsers(fragment);
    if (fragment.language === "java") yield* xmlFactories(fragment);
    if (fragment.language === "csharp") yield* xmlTextReaders(fragment);
  },
};

/** What reads for a name is reported where it was made. */
function isMadeHere(fragment: Fragment, call: Call): boolean {
  return (
    call.at > call.start + 1 &&
    MAKERS.test(receiverPath(fragment, call.path, call.start)) &&
    !/^[A-Z]/.test(call.path)
  );
}

/** What writes what the same module reads. */
const WRITING = /^(?:dumps?|serialize|Serialize|to_yaml|encode)$/;

/** `pickle.loads(pickle.dumps(x))` copies an object. */
function isOwnCopy(fragment: Fragment, call: Call): boolean {
  const [{ from, to } = { from: 0, to: 0 }] = call.args;
  const { path, end } = chainFrom(fragment, from, to);
  const [module, writer] = [path.split(/[.(]/, 1)[0], /(?:^|\.)(\w{1,40})\(\)$/.exec(path)?.[1] ?? ""];
  const isOwn = module === fragment.text(call.start) || (path === `${writer}()` && call.path === call.name);
  return end === to && isOwn && WRITING.test(writer);
}

const MAKERS = /^(?:ObjectInputStream|Yaml)\(\)\./;

function* sighted(fragment: Fragment, call: Call, { always, variant, says }: Reader): Iterable<Sighting> {
  const level = call.args[0] ? provenanceOf(fragment, "code").of(call.args[0]) : LEVEL.unknown;
  if (!always && call.args.length > 0 && level === LEVEL.literal) return;
  if (variant) {
    if (level > LEVEL.literal || always)
      yield seenVariant(fragment, call, variant, Math.max(level, LEVEL.unknown) as Level);
    return;
  }
  const message = says ?? `${call.name}() makes objects of any class that its input names.`;
  yield seenCall(fragment, call, { message, severity: level === LEVEL.request ? "error" : "warning" });
}

const TYPE_SETTINGS = /^(?:TypeNameHandling|TypeFilterLevel|JsonTypeInfo)$/;

/** Settings that let the input choose its types. */
function* typeNames(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(TYPE_SETTINGS)) {
    const after = fragment.text(index + 2);
    const typed = MEMBER.has(fragment.text(index + 1)) && /^(?:All|Auto|Objects|Arrays|Full)$/.test(after);
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

/** Parsers that are set, and calls of one. */
const MAX_PARSERS = 50;
const PARSING = /^(?:parse|parseString)$/;
const FEATURES = /^setFeature$/;

/** A SAX parser that was told to resolve external entities, where it gets a text that is not fixed. */
function* entityParsers(fragment: Fragment): Iterable<Sighting> {
  for (const set of fragment.callsOf(FEATURES).slice(0, MAX_PARSERS)) {
    const [feature, value] = set.args.map(({ to }) => fragment.text(to - 1));
    if (!/^(?:feature_external_[gp]es|external-(?:general|parameter)-entities)$/.test(feature ?? ""))
      continue;
    if (value !== "True" && value !== "1") continue;
    const parser = fragment.text(set.start);
    for (const call of fragment.callsOf(PARSING).slice(0, MAX_PARSERS)) {
      const given = call.args.some(({ from, to }) => fragment.text(to - 1) === parser && to - from <= 3);
      const own = fragment.text(call.start) === parser;
      const level = provenanceOf(fragment, "code").of(call.args[0] ?? { from: call.end, to: call.end });
      if (call.at < set.at || (!given && !own) || level < LEVEL.unknown) continue;
      yield seenVariant(fragment, call, "xml-entities", level);
    }
  }
}
