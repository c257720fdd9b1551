import type { CallElsewhere } from "../../finding.ts";
import type { Token } from "../../lexer/token.ts";
import { type Call, splitAtCommas } from "../../syntax/calls.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";
import type { Range } from "../../syntax/range.ts";
import { chainFrom } from "../chain.ts";
import { LEVEL } from "../level.ts";
import type { Target } from "../target.ts";
import { type Given, higher, joined, NOTHING, UNKNOWN, type Value } from "../value.ts";
import { type Callee, calleeOf } from "./callee.ts";
import { callersElsewhere } from "./callers.ts";
import { isCalledHereOnly, MAX_CALLS } from "./file-functions.ts";
import { type OwnFunctions, ownFunctionsOf } from "./own-functions.ts";
import { isObject, takesObject } from "./strictness.ts";

/** Maximum depth of calls that are followed. */
const DEEPEST = 3;
/** Stands for all that a function returns. */
const ALL = -1;
const REST = /^(?:\.{2,3}|vararg|params)$/;
const HASHES = /^(?:permit|expect|slice|except|to_h|to_unsafe_h)$/;
/** Maximum tokens of a method of Ruby that is read as one expression. */
const MAX_GETTER = 60;

/** What follows the values of a file. */
export interface Follower {
  readonly functions: CalledFunctions;
  readonly target: Target | undefined;
  valueIn(range: Range, depth: number): Value;
  given(range: Range): Given;
}

/** Follows values through functions: their results, and the arguments of their callers, in this file and in others. */
export class CalledFunctions {
  /** By function and, where only one of several returned values counts, its number; -1 for all. */
  readonly #results = new Map<FunctionScope, Map<number, Value>>();
  readonly #callers = new Map<Definition, Given>();
  readonly #own: OwnFunctions;
  #depth = 0;

  constructor(
    private readonly fragment: Fragment,
    private readonly follower: Omit<Follower, "functions">,
    /** Returns what follows the values of another file for the same target. */
    private readonly elsewhere: (fragment: Fragment) => Follower,
    private readonly isStrict: boolean,
  ) {
    this.#own = ownFunctionsOf(fragment);
  }

  /** Returns the value of a call, or undefined if the path does not end in a call of a known function. */
  result(path: string, at: number, given: readonly Range[], depth: number, part = ALL): Value | undefined {
    if (this.fragment.language === "ruby" && !/^\w{1,80}[(]/.test(path)) {
      const own = this.resultOfBare(path, at);
      if (own || path.includes("[]")) return own;
    }
    const args = given.at(-1);
    const callee = args && path.endsWith("()") ? calleeOf(this.fragment, path, at) : undefined;
    if (!args || !callee) return undefined;
    const { scope } = callee;
    const isOwn = callee.fragment === this.fragment;
    if (isOwn && at >= scope.body.from && at < scope.body.to) return undefined;
    const result = isOwn ? this.resultOf(scope, part) : this.resultElsewhere(callee, part);
    if (!result) return undefined;
    const others = isOwn ? result.parameters.filter((each) => each.function !== scope) : [];
    const values: Value[] = [{ level: result.level, parameters: others }];
    for (const { parameter } of result.parameters.filter((each) => each.function === scope)) {
      const argument = parameter && argumentFor(this.fragment, args, callee, parameter);
      if (argument) values.push(this.follower.valueIn(argument, depth + 1));
    }
    return joined(values);
  }

  private resultElsewhere({ fragment, scope }: Callee, part: number): Value | undefined {
    // Where an address leads, its beginning says, and functions that make addresses are told by their names.
    if (this.follower.target === "address") return undefined;
    return fragment.project?.visit(() => this.elsewhere(fragment).functions.resultOf(scope, part));
  }

  /** Returns the value of a name of Go that gets one of several results: `clause, args := listed(ids)`. */
  partOf({ kind, at, value }: Definition, depth: number): Value | undefined {
    const { fragment } = this;
    if (fragment.language !== "go" || kind !== "assign" || !fragment.isWord(value.from)) return undefined;
    let first = at;
    while (fragment.text(first - 1) === "," && fragment.isWord(first - 2)) first -= 2;
    if (first === at && fragment.text(at + 1) !== ",") return undefined;
    const { path, end, given } = chainFrom(fragment, value.from, value.to);
    return end === value.to ? this.result(path, value.from, given, depth, (at - first) / 2) : undefined;
  }

  /**
   * `order_params[:name]`, where `def order_params` gives `params.require(:order).permit(:name)`: Ruby calls a method
   * of the object itself without brackets, and returns its last expression.
   */
  private resultOfBare(path: string, at: number): Value | undefined {
    const name = /^\w{0,80}/.exec(path)?.[0] ?? "";
    const scope = isSymbol(this.fragment, at) ? undefined : this.#own.byName.get(name);
    if (!scope || scope.parameters.length > 0 || this.#depth >= DEEPEST) return undefined;
    const { from, to } = scope.body;
    if (to - from > MAX_GETTER || (at >= from && at < to) || this.fragment.names.definition(name, at))
      return undefined;
    // A whole hash of parameters is no text: `Image.where(image_params)`.
    if (!path.includes("[]") && this.fragment.texts(scope.body).some((word) => HASHES.test(word)))
      return undefined;
    this.#depth++;
    const value = this.follower.valueIn(scope.body, 1);
    this.#depth--;
    return value.level >= LEVEL.commandLine ? value : undefined;
  }

  resultOf(scope: FunctionScope, part: number): Value | undefined {
    const results = this.#results.get(scope) ?? new Map<number, Value>();
    this.#results.set(scope, results);
    const before = results.get(part);
    if (before) return before;
    const returns = this.#own.returns.get(scope);
    if (!returns || this.#depth >= DEEPEST) return undefined;
    results.set(part, NOTHING);
    this.#depth++;
    const value = joined(
      returns.map((range) =>
        this.isStrict && isObject(this.fragment, range)
          ? UNKNOWN
          : this.follower.valueIn(splitAtCommas(this.fragment, range)[part] ?? range, 1),
      ),
    );
    this.#depth--;
    results.set(part, value);
    return value;
  }

  /**
   * Returns what is given to a parameter: what calls pass to it, and at least the level of a parameter if others may call
   * the function too.
   */
  givenTo(definition: Definition): Given {
    const given = this.givenByCallers(definition);
    const scope = definition.function;
    if (scope && isCalledHereOnly(this.fragment, scope)) return given;
    return higher(given, { level: LEVEL.parameter });
  }

  /** Returns the highest level that calls pass to a parameter. */
  private givenByCallers(definition: Definition): Given {
    const before = this.#callers.get(definition);
    if (before) return before;
    let worst: Given = { level: LEVEL.literal };
    this.#callers.set(definition, worst);
    const { function: scope, parameter } = definition;
    if (!scope || !parameter || this.#depth >= DEEPEST) return worst;
    this.#depth++;
    const calls = [...this.callsOf(scope).map(({ args }) => args), ...calledAtOnce(this.fragment, scope)];
    for (const args of calls) {
      const argument = argumentFor(
        this.fragment,
        spanned(args),
        { fragment: this.fragment, scope },
        parameter,
      );
      if (!argument) continue;
      const { level, parameters } = this.follower.valueIn(argument, 1);
      worst = [{ level }, ...parameters.map((each) => this.givenTo(each))].reduce(higher, worst);
    }
    if (this.isStrict) worst = higher(worst, this.givenElsewhere(scope, parameter));
    this.#depth--;
    this.#callers.set(definition, worst);
    return worst;
  }

  /** Returns the calls of a function in this file, outside of itself. */
  private callsOf(scope: FunctionScope): Call[] {
    const { name, body } = scope;
    if (!name) return [];
    return this.fragment
      .callsNamed(name)
      .slice(0, MAX_CALLS)
      .filter(({ path, args, at, start }) => {
        const isWithin = at >= body.from && at < body.to;
        return !isWithin && args.length > 0 && this.#own.calledBy(`${path}()`, start) === scope;
      });
  }

  /** Returns what calls in other files pass to a parameter, if that comes from a client. */
  private givenElsewhere(scope: FunctionScope, parameter: Parameter): Given {
    const by = new Map<string, CallElsewhere>();
    if (takesObject(this.fragment, parameter)) return { level: LEVEL.literal };
    for (const { fragment, call } of callersElsewhere({ fragment: this.fragment, scope })) {
      const callee = { fragment: this.fragment, scope };
      const passed = argumentFor(fragment, spanned(call.args), callee, parameter);
      const argument = passed && memberFor(fragment, passed, callee, parameter);
      const given = argument && fragment.project?.visit(() => this.elsewhere(fragment).given(argument));
      if (given?.level !== LEVEL.request) continue;
      const here = elsewhere(fragment, call);
      const others = given.by?.map((each) => ({ ...each, onward: [...(each.onward ?? []), here] }));
      for (const each of others ?? [here])
        by.set(`${each.path}:${each.place.line}:${each.place.column}`, each);
    }
    if (by.size === 0) return { level: LEVEL.literal };
    return { level: LEVEL.request, by: [...by.values()].slice(0, MAX_CALLS) };
  }
}

function elsewhere({ path, language, lines, tokens }: Fragment, { start }: Call): CallElsewhere {
  const { line, column } = tokens[start] as Token;
  return { path, language, lines, place: { line, column } };
}

function spanned(args: readonly Range[]): Range {
  return { from: (args[0] as Range).from, to: (args.at(-1) as Range).to };
}

/** Whether a parameter stands for all further arguments: `parts ...string`, `String... parts`, `*parts`, `vararg parts`. */
function isRest(fragment: Fragment, { declared }: Parameter): boolean {
  return fragment.texts(declared).some((text) => REST.test(text));
}

/** Returns the argument that a call passes to a parameter. The call may be in another file than the function. */
function argumentFor(
  fragment: Fragment,
  args: Range,
  { fragment: file, scope }: Callee,
  parameter: Parameter,
): Range | undefined {
  const parts = splitAtCommas(fragment, args);
  const named = parts.find(
    ({ from }) => fragment.text(from) === parameter.name && /^[=:]$/.test(fragment.text(from + 1)),
  );
  if (named) return { from: named.from + 2, to: named.to };
  const own = /^(?:self|cls)$/.test(scope.parameters[0]?.name ?? "") ? 1 : 0;
  const place = scope.parameters.indexOf(parameter) - own;
  const [first, last] = [parts[place], parts.at(-1)];
  return first && last && isRest(file, parameter) ? { from: first.from, to: last.to } : first;
}

/** Returns the member of an object that a parameter takes out of it; undefined if it takes the whole object. */
function memberFor(
  fragment: Fragment,
  argument: Range,
  { fragment: file }: Callee,
  { name, declared }: Parameter,
): Range | undefined {
  if (fragment.text(argument.from) !== "{") return argument;
  if (file.text(declared.from) !== "{") return undefined;
  const { partner } = fragment.tokens[argument.from] as { partner: number };
  const members = splitAtCommas(fragment, { from: argument.from + 1, to: partner });
  const member = members.find(({ from }) => fragment.text(from) === name);
  if (!member) return undefined;
  return fragment.text(member.from + 1) === ":" ? { from: member.from + 2, to: member.to } : member;
}

/** `:login`, `login: true` of Ruby */
function isSymbol({ tokens }: Fragment, at: number): boolean {
  const [before, own, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const begins = (own?.end ?? 0) - (own?.text.length ?? 0);
  return (
    (before?.text === ":" && before.end === begins) ||
    (after?.text === ":" && after.end === (own?.end ?? 0) + 1)
  );
}

/** Returns the arguments of a function that is called where it is written: `func(name string) { … }(name)`. */
function calledAtOnce(fragment: Fragment, { name, start, body }: FunctionScope): (readonly Range[])[] {
  if (name) return [];
  const end = fragment.text(body.to) === "}" ? body.to + 1 : body.to;
  const before = fragment.text(start - 1) === "async" ? start - 2 : start - 1;
  const isInBrackets = fragment.text(end) === ")" && fragment.tokens[end]?.partner === before;
  const open = isInBrackets ? end + 1 : end;
  const { text, partner = -1 } = fragment.tokens[open] ?? {};
  return text === "(" && partner > open ? [splitAtCommas(fragment, { from: open + 1, to: partner })] : [];
}
