import { splitAtCommas } from "../syntax/calls.ts";
import type { Definition } from "../syntax/definitions/definitions.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { FunctionScope, Parameter } from "../syntax/functions.ts";
import type { Range } from "../syntax/range.ts";
import { chainFrom } from "./chain.ts";
import { isCalledHereOnly, MAX_CALLS } from "./file-functions.ts";
import { highest, LEVEL, type Level } from "./level.ts";
import { type OwnFunctions, ownFunctionsOf } from "./own-functions.ts";
import { joined, NOTHING, type Value } from "./value.ts";

/** Maximum depth of calls that are followed. */
const DEEPEST = 3;
/** Stands for all that a function returns. */
const ALL = -1;
const REST = /^(?:\.{2,3}|vararg|params)$/;
const HASHES = /^(?:permit|expect|slice|except|to_h|to_unsafe_h)$/;
/** Maximum tokens of a method of Ruby that is read as one expression. */
const MAX_GETTER = 60;

/** Follows values through the functions of a file: their results, and the arguments of their callers. */
export class LocalFunctions {
  /** By function and, where only one of several returned values counts, its number; -1 for all. */
  readonly #results = new Map<FunctionScope, Map<number, Value>>();
  readonly #callers = new Map<Definition, Level>();
  readonly #own: OwnFunctions;
  #depth = 0;

  constructor(
    private readonly fragment: Fragment,
    private readonly valueIn: (range: Range, depth: number) => Value,
  ) {
    this.#own = ownFunctionsOf(fragment);
  }

  /** Returns the value of a call, or undefined if the path does not end in a call of a function of this file. */
  result(path: string, at: number, given: readonly Range[], depth: number, part = ALL): Value | undefined {
    if (this.fragment.language === "ruby" && !/^\w{1,80}[(]/.test(path)) {
      const own = this.resultOfBare(path, at);
      if (own || path.includes("[]")) return own;
    }
    const args = given.at(-1);
    const scope = args && path.endsWith("()") ? this.#own.calledBy(path, at) : undefined;
    if (!args || !scope || (at >= scope.body.from && at < scope.body.to)) return undefined;
    const result = this.resultOf(scope, part);
    if (!result) return undefined;
    const values: Value[] = [
      { level: result.level, parameters: result.parameters.filter((each) => each.function !== scope) },
    ];
    for (const { parameter } of result.parameters.filter((each) => each.function === scope)) {
      const argument = parameter && this.argumentFor(scope, parameter, args);
      if (argument) values.push(this.valueIn(argument, depth + 1));
    }
    return joined(values);
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
    const value = this.valueIn(scope.body, 1);
    this.#depth--;
    return value.level >= LEVEL.commandLine ? value : undefined;
  }

  private resultOf(scope: FunctionScope, part: number): Value | undefined {
    const results = this.#results.get(scope) ?? new Map<number, Value>();
    this.#results.set(scope, results);
    const before = results.get(part);
    if (before) return before;
    const returns = this.#own.returns.get(scope);
    if (!returns || this.#depth >= DEEPEST) return undefined;
    results.set(part, NOTHING);
    this.#depth++;
    const value = joined(
      returns.map((range) => this.valueIn(splitAtCommas(this.fragment, range)[part] ?? range, 1)),
    );
    this.#depth--;
    results.set(part, value);
    return value;
  }

  /**
   * Returns the level of a parameter: what calls in this file pass to it, and at least that of a parameter if others may
   * call the function too.
   */
  levelOf(definition: Definition): Level {
    const given = this.levelOfCallers(definition);
    const scope = definition.function;
    if (scope && isCalledHereOnly(this.fragment, scope)) return given;
    return Math.max(given, LEVEL.parameter) as Level;
  }

  /** Returns the highest level that calls in this file pass to a parameter. */
  private levelOfCallers(definition: Definition): Level {
    const before = this.#callers.get(definition);
    if (before !== undefined) return before;
    this.#callers.set(definition, LEVEL.literal);
    const { function: scope, parameter } = definition;
    if (!scope?.name || !parameter || this.#depth >= DEEPEST) return LEVEL.literal;
    let worst: Level = LEVEL.literal;
    this.#depth++;
    for (const { path, args, at, start } of this.callsOf(scope.name)) {
      const isWithin = at >= scope.body.from && at < scope.body.to;
      if (isWithin || args.length === 0 || this.#own.calledBy(`${path}()`, start) !== scope) continue;
      const range = { from: (args[0] as Range).from, to: (args.at(-1) as Range).to };
      const argument = this.argumentFor(scope, parameter, range);
      if (!argument) continue;
      const { level, parameters } = this.valueIn(argument, 1);
      worst = highest([worst, level, ...parameters.map((each) => this.levelOf(each))]);
    }
    this.#depth--;
    this.#callers.set(definition, worst);
    return worst;
  }

  private callsOf(name: string) {
    return this.fragment.callsNamed(name).slice(0, MAX_CALLS);
  }

  /** Whether a parameter stands for all further arguments: `parts ...string`, `String... parts`, `*parts`, `vararg parts`. */
  private isRest({ declared }: Parameter): boolean {
    return this.fragment.texts(declared).some((text) => REST.test(text));
  }

  private argumentFor(scope: FunctionScope, parameter: Parameter, args: Range): Range | undefined {
    const parts = splitAtCommas(this.fragment, args);
    const named = parts.find(
      ({ from }) =>
        this.fragment.text(from) === parameter.name && /^[=:]$/.test(this.fragment.text(from + 1)),
    );
    if (named) return { from: named.from + 2, to: named.to };
    const own = /^(?:self|cls)$/.test(scope.parameters[0]?.name ?? "") ? 1 : 0;
    const place = scope.parameters.indexOf(parameter) - own;
    const [first, last] = [parts[place], parts.at(-1)];
    return first && last && this.isRest(parameter) ? { from: first.from, to: last.to } : first;
  }
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
