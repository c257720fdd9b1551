import type { Rule, Sighting } from "../finding.ts";
import { chainFrom } from "../flow/chain.ts";
import { LEVEL, type Level } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { receiverPath } from "../flow/receivers.ts";
import type { Given } from "../flow/value.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { Reader } from "../taint/sink.ts";
import { READERS } from "../taint/tables.ts";
import { entityParsers } from "./patterns/entity-parsers.ts";
import { isFiltered } from "./patterns/filtered-readers.ts";
import { typeNames } from "./patterns/input-types.ts";
import { xmlFactories, xmlTextReaders } from "./patterns/xml-factories.ts";
import { seenCall } from "./sightings/sightings.ts";
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
    "Read a format that holds only data (JSON with a schema, Protocol Buffers), or restrict the classes to a list.",
  *check(fragment) {
    for (const reader of READERS[fragment.language] ?? []) {
      for (const call of callsFor(fragment, reader)) {
        const isTold =
          isMadeHere(fragment, call) || isOwnCopy(fragment, call) || isWithinReading(fragment, call);
        const path = receiverPath(fragment, call.path, call.start);
        if (DATA.test(path) || isFiltered(fragment, call, path)) continue;
        if (!isTold) yield* sighted(fragment, call, reader);
      }
    }
    yield* typeNames(fragment);
    if (fragment.language === "python") yield* entityParsers(fragment);
    if (fragment.language === "java") yield* xmlFactories(fragment);
    if (fragment.language === "csharp") yield* xmlTextReaders(fragment);
  },
};

/** Whether a call reads from a variable whose reader is reported where it is created. */
function isMadeHere(fragment: Fragment, call: Call): boolean {
  return (
    call.at > call.start + 1 &&
    MAKERS.test(receiverPath(fragment, call.path, call.start)) &&
    !/^[A-Z]/.test(call.path)
  );
}

/** Calls that write what the same module reads. */
const WRITING = /^(?:dumps?|serialize|Serialize|to_yaml|encode)$/;

/** Whether a call only copies an object: `pickle.loads(pickle.dumps(x))`. */
function isOwnCopy(fragment: Fragment, call: Call): boolean {
  const [{ from, to } = { from: 0, to: 0 }] = call.args;
  const { path, end } = chainFrom(fragment, from, to);
  const [module, writer] = [path.split(/[.(]/, 1)[0], /(?:^|\.)(\w{1,40})\(\)$/.exec(path)?.[1] ?? ""];
  const isOwn = module === fragment.text(call.start) || (path === `${writer}()` && call.path === call.name);
  return end === to && isOwn && WRITING.test(writer);
}

/** Methods in which a Java object reads its own members from a stream that other code reads. */
const HOOKS = /^(?:readObject|readExternal|readResolve|readFrom)$/;
const STREAM = /^Object(?:InputStream|Input)$/;

/** `private void readObject(ObjectInputStream in) { name = in.readObject(); }`: safe if the stream's creator is. */
function isWithinReading(fragment: Fragment, { name, at, path }: Call): boolean {
  const scope = fragment.names.functionAt(at);
  if (fragment.language !== "java" || !scope?.name || !HOOKS.test(scope.name)) return false;
  const stream = scope.parameters[0];
  if (!stream || !/^read(?:Object|Unshared)$/.test(name) || path !== `${stream.name}.${name}`) return false;
  const { from, to } = stream.declared;
  return fragment.tokens.slice(from, to).some(({ text }) => STREAM.test(text));
}

/** Readers of JSON, whose objects hold only data: `Json.createReader(in).readObject()`. */
const DATA = /(?:^|\.)createReader\(\)\.|^Json(?:Object)?Reader\.read/;

const MAKERS = /^(?:ObjectInputStream|Yaml)\(\)\./;

function* sighted(fragment: Fragment, call: Call, { always, variant, says }: Reader): Iterable<Sighting> {
  const { level, by }: Given = call.args[0]
    ? provenanceOf(fragment, "code").given(call.args[0])
    : { level: LEVEL.unknown };
  if (!always && call.args.length > 0 && level === LEVEL.literal) return;
  if (variant) {
    if (level > LEVEL.literal || always)
      yield seenVariant(fragment, call, variant, { level: Math.max(level, LEVEL.unknown) as Level, by });
    return;
  }
  const message = says ?? `${call.name}() makes objects of any class that its input names.`;
  yield seenCall(fragment, call, { message, severity: level === LEVEL.request ? "error" : "warning", by });
}
