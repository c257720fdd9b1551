import type { Rule, Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Language } from "../language/language.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { seenAt, seenCall } from "./sightings.ts";

/** Calls that make whatever object a text describes. */
interface Reader {
  names: RegExp;
  path?: RegExp;
  /** An argument that makes it harmless. */
  unless?: RegExp;
  /** Reported even with a fixed argument, since the type itself is the fault. */
  always?: boolean;
}

const READERS: Partial<Record<Language, readonly Reader[]>> = {
  javascript: [
    {
      names: /^(?:unserialize|deserialize)$/,
      path: /^(?:node-serialize|serialize-to-js|serialize-javascript|funcster|cryo|php-serialize|serializer|node_serialize|nodeSerialize|serialize|serialijse)\b|^require\(\)\.unserialize$|^unserialize$/,
    },
    { names: /^deepDeserialize$/, path: /funcster/ },
    { names: /^parse$/, path: /^cryo\.parse$/ },
    { names: /^deserialize$/, path: /^v8\.deserialize$/ },
    {
      names: /^(?:load|loadAll)$/,
      path: /^(?:js-yaml|yaml|jsyaml|YAML)\.\w{4,7}$/,
      unless: /^(?!.*(?:DEFAULT_FULL_SCHEMA|UNSAFE|js-yaml-js-types)).*$/s,
    },
  ],
  python: [
    {
      names: /^(?:load|loads|Unpickler|read_pickle)$/,
      path: /^(?:pickle|cPickle|_pickle|dill|cloudpickle|pickle5|jsonpickle|shelve|marshal|joblib|pandas|pd|sklearn\.externals\.joblib|hickle)\.\w{1,12}$/,
    },
    { names: /^open$/, path: /^shelve\.open$/ },
    { names: /^decode$/, path: /^jsonpickle\.decode$/ },
    {
      names: /^(?:load|load_all)$/,
      path: /^yaml\.load(?:_all)?$/,
      unless: /\bC?SafeLoader\b|\bBaseLoader\b|safe_load/,
    },
    { names: /^(?:unsafe_load|full_load|unsafe_load_all)$/, path: /^yaml\./ },
    { names: /^load$/, path: /^torch\.load$/, unless: /weights_only ?= ?True/ },
    { names: /^load$/, path: /^(?:np|numpy)\.load$/, unless: /^(?!.*allow_pickle ?= ?True).*$/s },
    { names: /^YAML$/, path: /(?:^|\.)YAML$/, unless: /^(?!.*typ = unsafe).*$/s, always: true },
    { names: /^Unserializer$/, path: /phpserialize/ },
  ],
  java: [
    {
      names: /^(?:readObject|readUnshared)$/,
      path: /^(?!this\.readObject$)[\w.()[\]]{1,80}\.read(?:Object|Unshared)$/,
    },
    { names: /^XMLDecoder$/, always: true },
    { names: /^fromXML$/ },
    { names: /^setAutoTypeSupport$/, unless: /\bfalse\b/, always: true },
    { names: /^setRegistrationRequired$/, unless: /\btrue\b/, always: true },
    { names: /^jsonToJava$/, path: /JsonReader\./ },
    { names: /^deserialize$/, path: /SerializationUtils|SerializationHelper/ },
    { names: /^(?:enableDefaultTyping|activateDefaultTyping)$/, always: true },
    {
      names: /^(?:load|loadAll)$/,
      path: /^(?:yaml|snakeYaml|new Yaml|Yaml\(\))\.\w{4,7}$/i,
      unless: /SafeConstructor/,
    },
    { names: /^(?:Hessian2Input|HessianInput|BurlapInput)$/, always: true },
    {
      names: /^(?:parseObject|parse)$/,
      path: /^JSON\.parse(?:Object)?$/,
      unless: /^(?!.*(?:SupportAutoType|SupportNonPublicField)).*$/s,
    },
  ],
  ruby: [
    { names: /^(?:load|restore)$/, path: /^Marshal\.(?:load|restore)$/ },
    {
      names: /^(?:load|load_file|unsafe_load)$/,
      path: /^(?:YAML|Psych)\.(?:load|load_file|unsafe_load)$/,
      unless: /permitted_classes/,
    },
    {
      names: /^(?:load|object_load)$/,
      path: /^Oj\.(?:load|object_load)$/,
      unless: /mode ?: ?: ?(?:strict|null|compat|rails)/,
    },
  ],
  php: [
    { names: /^unserialize$/, unless: /allowed_classes/ },
    { names: /^(?:yaml_parse|igbinary_unserialize|msgpack_unpack)$/ },
  ],
  csharp: [
    {
      names: /^(?:Deserialize|UnsafeDeserialize)$/,
      path: /(?:[bB]inaryFormatter|[fF]ormatter|[sS]oapFormatter|[lL]osFormatter|NetDataContractSerializer|ObjectStateFormatter|BinaryFormatter\(\)|LosFormatter\(\))\w{0,20}(?:\(\))?\.(?:Unsafe)?Deserialize$|^(?:bf|fmt)\.Deserialize$/,
    },
    {
      names:
        /^(?:BinaryFormatter|SoapFormatter|NetDataContractSerializer|LosFormatter|ObjectStateFormatter|SimpleTypeResolver|ResXResourceReader)$/,
      always: true,
    },
    { names: /^FsPickler$/, always: true },
    { names: /^(?:Parse|Load)$/, path: /XamlReader\./ },
    { names: /^Deserialize$/, path: /Typeless\.Deserialize$/ },
    { names: /^ReadObject$/, path: /[nN]etDataContract/ },
  ],
};

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

function matches(fragment: Fragment, call: Call, { path, unless }: Reader): boolean {
  const resolved = fragment.names.resolve(call.path);
  if (path && !path.test(resolved) && !path.test(call.path)) return false;
  if (!unless) return true;
  const text = fragment.tokens
    .slice(call.at + 1, Math.min(call.end, call.at + 200))
    .map((token) => token.text)
    .join(" ");
  return !unless.test(text);
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
