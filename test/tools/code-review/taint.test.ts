import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../src/tools/code-review/flow/provenance.ts";
import { receiverPath } from "../../../src/tools/code-review/flow/receivers.ts";
import { makesHarmless } from "../../../src/tools/code-review/flow/sanitizers.ts";
import { TARGETS, type Target } from "../../../src/tools/code-review/flow/target.ts";
import { callsFor, reached } from "../../../src/tools/code-review/rules/sightings/sinks.ts";
import type { Fragment } from "../../../src/tools/code-review/syntax/fragment.ts";
import { EVERY_LANGUAGE, TAINT_FILES as IMPORTED } from "../../../src/tools/code-review/taint/files.ts";
import {
  everyLanguageSchema,
  type ReaderEntry,
  type SinkRule,
  taintSchema,
} from "../../../src/tools/code-review/taint/schema.ts";
import { READERS, sinksOf } from "../../../src/tools/code-review/taint/tables.ts";
import { comesToAnEnd, pumpedLines } from "../../support/pumped.ts";
import { FILES, findingsIn, fragmentOf } from "./cases.ts";
import { TAINT_FILES } from "./support/taint-files.ts";

/** Longer than any call's path in real code. */
const LENGTH = 1000;

const sources = TAINT_FILES.flatMap(({ language, sources }) =>
  sources.map((entry) => ({ language, entry, name: `${language}: ${entry.path}` })),
);
const sinks = TAINT_FILES.flatMap(({ language, sinks = {} }) =>
  Object.entries(sinks).flatMap(([rule, entries]) =>
    entries.map((entry, index) => ({
      language,
      rule: rule as keyof typeof sinks,
      index,
      entry,
      name: `${rule} in ${language}: ${entry.names.join(" ")}${entry.path ? `, ${entry.path}` : ""}`,
    })),
  ),
);

/** Whether an expression such as `req.query["name"]` has the path of a source, here `req.query[]`. */
function matches(source: string, expression: string): boolean {
  const path = expression
    .replace(/\([^()]*\)/g, "()")
    .replace(/\[[^\]]*\]/g, "[]")
    .replace(/->|::/g, ".");
  return new RegExp(source).test(path);
}

/** Returns the index of the first reader that knows a call of the code. */
function firstReader(fragment: Fragment): number {
  return (READERS[fragment.language] ?? []).findIndex((reader) => [...callsFor(fragment, reader)].length > 0);
}

describe("sources and sinks", () => {
  it.each(TAINT_FILES)("of $language conform to the schema and are loaded", (file) => {
    expect(taintSchema.safeParse(file).error?.issues ?? []).toEqual([]);
    expect(IMPORTED.map(({ language }) => language)).toContain(file.language);
  });

  it.each(sources)(
    "include the source $name, matched by a single and fast pattern",
    ({ language, entry: { path, example, local } }) => {
      const fragment = fragmentOf(FILES[language], example);
      const level = provenanceOf(fragment).of({ from: 0, to: fragment.tokens.length });
      expect(level).toBe(local ? LEVEL.commandLine : LEVEL.request);
      const own = new RegExp(path);
      expect(
        sources.filter((each) => each.language === language && matches(each.entry.path, example)),
      ).toEqual([expect.objectContaining({ entry: expect.objectContaining({ path }) })]);
      expect(comesToAnEnd(own, pumpedLines(example, LENGTH))).toBe(true);
    },
  );

  it.each(sinks)("include the sink $name, with fast patterns", ({ language, rule, index, entry }) => {
    const { example } = entry;
    expect(findingsIn(FILES[language], example, { rules: { only: [rule] } })).not.toEqual([]);
    const fragment = fragmentOf(FILES[language], example);
    if (rule === "unsafe-deserialization") {
      expect(firstReader(fragment)).toBe(index);
    } else {
      const all = sinksOf(rule as SinkRule)[language] ?? [];
      const taken = [...reached(fragment, { [language]: all.slice(0, index) })].map(({ call }) => call.at);
      const own = [...reached(fragment, { [language]: [all[index] as (typeof all)[0]] })];
      expect(own.filter(({ call }) => !taken.includes(call.at))).not.toEqual([]);
    }
    const { path = "", unless = "", onlyWith = "" } = { ...entry } as Partial<ReaderEntry>;
    const hard = pumpedLines(example, LENGTH);
    for (const pattern of [path, unless, onlyWith])
      expect(comesToAnEnd(new RegExp(pattern), hard), pattern).toBe(true);
  });
});

describe("the rules for every language", () => {
  const { sanitizers, requestTypes, routes, sqlExecutors } = EVERY_LANGUAGE;
  const evaluated = (value: string) =>
    findingsIn("app.ts", `eval(${value})`, { rules: { only: ["code-evaluation"] } });

  it("conform to their schema", () => {
    expect(everyLanguageSchema.safeParse(EVERY_LANGUAGE).error?.issues ?? []).toEqual([]);
  });

  it("leave a request value tainted, also in an unknown call", () => {
    expect(evaluated("req.query.name")).not.toEqual([]);
    expect(evaluated("read(req.query.name)")).not.toEqual([]);
  });

  it.each(sanitizers.harmlessCalls)("treat the result of %s() as harmless", (name) => {
    expect(evaluated(`${name}(req.query.name)`)).toEqual([]);
  });

  it.each(sanitizers.harmlessMembers)("treat the member %s as harmless", (name) => {
    expect(evaluated(`req.query.name.${name}`)).toEqual([]);
  });

  const levelOf = (value: string, target: Target) => {
    const fragment = fragmentOf("app.ts", value);
    return provenanceOf(fragment, target).of({ from: 0, to: fragment.tokens.length });
  };

  it.each(sanitizers.cleaningCalls)(
    "treat a call with $like in its name, here $example(), as harmless for its targets",
    (entry) => {
      expect(entry.example).toMatch(new RegExp(entry.like, "i"));
      const harmless = TARGETS.filter(
        (target) => levelOf(`${entry.example}(req.query.name)`, target) === LEVEL.literal,
      );
      expect(harmless).toEqual(TARGETS.filter((target) => entry.for?.includes(target) ?? true));
      const others = sanitizers.cleaningCalls.filter(({ like }) => like !== entry.like);
      expect(others.filter(({ like }) => new RegExp(like, "i").test(entry.example))).toEqual([]);
    },
  );

  it.each(sanitizers.dirtyingCalls)(
    "do not treat a call with $like in its name, here $example(), as harmless",
    (entry) => {
      expect(entry.example).toMatch(new RegExp(entry.like, "i"));
      expect(makesHarmless(entry.example, entry.example)).toBe(false);
      expect(evaluated(`${entry.example}(req.query.name)`)).not.toEqual([]);
    },
  );

  it.each(sanitizers.modules)(
    "treat calls of $name as harmless for its targets",
    ({ name, for: targets = TARGETS }) => {
      for (const target of TARGETS) {
        const expected = targets.includes(target) ? LEVEL.literal : LEVEL.request;
        const call = name.includes(".") ? name : `${name}.process`;
        expect(levelOf(`${call}(req.query.name)`, target), target).toBe(expected);
      }
    },
  );

  it.each(requestTypes)("treat a parameter with @%s as request data", (name) => {
    const code = `class Carts {\n  total(@${name}() name) {\n    eval(name);\n  }\n}`;
    const [finding] = findingsIn("app.ts", code, { rules: { only: ["code-evaluation"] } });
    expect(finding?.severity).toBe("error");
  });

  it.each(EVERY_LANGUAGE.objects)("treat a parameter of type $type as $as", ({ type, as }) => {
    const fragment = fragmentOf("App.java", `void f(${type} given) {\n  given.read();\n}`);
    const at = fragment.tokens.findLastIndex(({ text }) => text === "given");
    expect(receiverPath(fragment, "given.read", at)).toBe(`${as}.read`);
  });

  it.each(EVERY_LANGUAGE.pureModules)("pass the taint of arguments through functions of %s", (module) => {
    const levelIn = (value: string) => {
      const fragment = fragmentOf("app.py", `import ${module}\neval(${module}.work(${value}))`);
      const [call] = fragment.callsNamed("eval");
      return provenanceOf(fragment, "code").of(call?.args[0] ?? { from: 0, to: 0 });
    };
    expect(levelIn("'a'")).toBe(LEVEL.literal);
    expect(levelIn("request.args['a']")).toBe(LEVEL.request);
  });

  it.each(routes)("treat parameters of a function under @app.%s as request data", (name) => {
    const code = `@app.${name}("/<name>")\ndef cart(name):\n    eval(name)`;
    const [finding] = findingsIn("app.py", code, { rules: { only: ["code-evaluation"] } });
    expect(finding?.severity).toBe("error");
  });

  it.each(sqlExecutors)("treat %s() as the execution of an SQL statement", (name) => {
    const code = `function find(name) {\n  const statement = "SELECT * FROM carts WHERE name = '" + name + "'";\n  db.${name}(statement);\n}`;
    const found = findingsIn("app.ts", code, { rules: { only: ["sql-injection"] } });
    expect(found.map(({ line }) => line)).toEqual([2, 3]);
  });
});

describe("the schema for the taint file of a language", () => {
  const sink = { names: ["run"], atLeast: "unknown", example: "run(a)" };
  const reader = { names: ["load"], example: "load(a)" };
  const withSink = (more: object) => ({ sinks: { "sql-injection": [{ ...sink, ...more }] } });
  const isAllowed = (more: object) =>
    taintSchema.safeParse({ $schema: "./a.json", language: "go", sources: [], ...more }).success;

  it.each<object>([
    {},
    { sinks: {} },
    withSink({}),
    withSink({ names: ["run!", "a?", "$b", "c_1"] }),
    withSink({ path: "ab", ignoreCase: true, unless: "cd", onlyWith: "ef" }),
    withSink({ argument: 0 }),
    withSink({ argument: 9 }),
    withSink({ argument: "any" }),
    withSink({ option: "key_1" }),
    withSink({ says: "It runs." }),
    withSink({ atLeast: "request" }),
    withSink({ assigned: true, always: true }),
    { sinks: { "unsafe-deserialization": [reader] } },
    { sources: [{ path: "req.a", example: "req.a" }] },
    { sources: [{ path: "argv", local: true, example: "argv" }] },
  ])("accepts %j", (more) => expect(isAllowed(more)).toBe(true));

  it.each<object>([
    { language: "latin" },
    { sinks: { "sql-injection": [] } },
    { sinks: { "unsafe-deserialization": [] } },
    { sinks: { "unsafe-deserialization": [sink] } },
    { sinks: { "loose-equality": [sink] } },
    { other: true },
    withSink({ names: [] }),
    withSink({ names: [""] }),
    withSink({ names: ["a.b"] }),
    withSink({ names: [".b"] }),
    withSink({ names: ["b("] }),
    withSink({ path: "a" }),
    withSink({ ignoreCase: false }),
    withSink({ argument: -1 }),
    withSink({ argument: 10 }),
    withSink({ argument: 1.5 }),
    withSink({ argument: "all" }),
    withSink({ option: "" }),
    withSink({ option: "-key" }),
    withSink({ option: "key:" }),
    withSink({ says: "It runs" }),
    withSink({ says: "It. runs" }),
    withSink({ atLeast: "literal" }),
    withSink({ atLeast: undefined }),
    withSink({ example: "" }),
    withSink({ other: true }),
    { sources: [{ path: "a", example: "a" }] },
    { sources: [{ path: "req.a", example: "" }] },
    { sources: [{ path: "req.a", example: "req.a", local: false }] },
    { sources: [{ path: "req.a", example: "req.a", other: true }] },
  ])("refuses %j", (more) => expect(isAllowed(more)).toBe(false));
});

describe("the schema for the taint file of every language", () => {
  const { sanitizers } = EVERY_LANGUAGE;
  const isAllowed = (more: object) => everyLanguageSchema.safeParse({ ...EVERY_LANGUAGE, ...more }).success;

  it.each<object>([
    { requestTypes: ["Body", "$a_1"], routes: ["get"], sqlExecutors: ["run"] },
    { objects: [{ type: "Call_1", as: "$call" }] },
    { pureModules: ["a.b_1"] },
    { sanitizers: { ...sanitizers, modules: [{ name: "a.b_1", for: [] }] } },
    { sanitizers: { ...sanitizers, cleaningCalls: [{ like: "ab", example: "ab" }] } },
  ])("accepts %j", (more) => expect(isAllowed(more)).toBe(true));

  it.each<object>([
    { requestTypes: [] },
    { requestTypes: ["a.b"] },
    { routes: [".a"] },
    { sqlExecutors: ["a("] },
    { objects: [] },
    { objects: [{ type: "a.", as: "b" }] },
    { objects: [{ type: ".a", as: "b" }] },
    { objects: [{ type: "a", as: "b." }] },
    { objects: [{ type: "a", as: ".b" }] },
    { objects: [{ type: "a", as: "b", other: "c" }] },
    { pureModules: [] },
    { pureModules: ["a b"] },
    { pureModules: ["-a"] },
    { pureModules: ["a-"] },
    { sanitizers: { ...sanitizers, modules: [] } },
    { sanitizers: { ...sanitizers, modules: [{ name: "a b" }] } },
    { sanitizers: { ...sanitizers, modules: [{ name: "-a" }] } },
    { sanitizers: { ...sanitizers, modules: [{ name: "a-" }] } },
    { sanitizers: { ...sanitizers, modules: [{ name: "a", for: ["moon"] }] } },
    { sanitizers: { ...sanitizers, modules: [{ name: "a", other: true }] } },
    { sanitizers: { ...sanitizers, cleaningCalls: [] } },
    { sanitizers: { ...sanitizers, cleaningCalls: [{ like: "a", example: "a" }] } },
    { sanitizers: { ...sanitizers, cleaningCalls: [{ like: "ab", example: "ab", for: [] }] } },
    { sanitizers: { ...sanitizers, dirtyingCalls: [] } },
    { sanitizers: { ...sanitizers, dirtyingCalls: [{ like: "ab", example: "ab", other: true }] } },
    { sanitizers: { ...sanitizers, other: true } },
    { other: true },
  ])("refuses %j", (more) => expect(isAllowed(more)).toBe(false));
});
