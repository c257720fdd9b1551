import { splitAtCommas } from "../syntax/calls.ts";
import { classesOf } from "../syntax/classes.ts";
import type { Definition } from "../syntax/definitions/definitions.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { FunctionScope, Parameter } from "../syntax/functions.ts";
import type { Range } from "../syntax/range.ts";
import { statementEnd } from "../syntax/statements.ts";
import { chainFrom } from "./chain.ts";
import { LEVEL, type Level } from "./level.ts";
import { receiverPath } from "./receivers.ts";
import { joined, NOTHING, type Value } from "./value.ts";

/** Maximum parameters of a function that is followed. */
const MAX_PARAMETERS = 30;
/** Maximum calls of a function whose arguments are considered, and maximum depth of calls that are followed. */
const [MAX_CALLS, DEEPEST] = [20, 3];
/** Stands for all that a function returns. */
const ALL = -1;
/** Maximum tokens of a method of Ruby that is read as one expression. */
const MAX_GETTER = 60;
const OWN = /^(?:(?:self|this|\$this|cls|static)\.)?[\w$]{1,80}\(\)$/;
/** `Finder().find()` on a new instance, `Finder.find()` on the class or on a name declared with it. */
const OF_CLASS = /^(\w{1,80})(?:\(\))?\.\w{1,80}\(\)$/;

/** Follows values through the functions of a file: their results, and the arguments of their callers. */
export class LocalFunctions {
  /** By function and, where only one of several returned values counts, its number; -1 for all. */
  readonly #results = new Map<FunctionScope, Map<number, Value>>();
  readonly #callers = new Map<Definition, Level>();
  #byName?: Methods;
  #methods?: ReadonlyMap<string, Methods>;
  #returns?: ReadonlyMap<FunctionScope, readonly Range[]>;
  #depth = 0;

  constructor(
    private readonly fragment: Fragment,
    private readonly valueIn: (range: Range, depth: number) => Value,
  ) {}

  /** Returns the value of a call, or undefined if the path does not end in a call of a function of this file. */
  result(path: string, at: number, given: readonly Range[], depth: number, part = ALL): Value | undefined {
    if (this.fragment.language === "ruby" && path.includes("[]")) return this.memberOfResult(path, at);
    const args = given.at(-1);
    const scope = args && path.endsWith("()") ? this.functionCalledBy(path, at) : undefined;
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
  private memberOfResult(path: string, at: number): Value | undefined {
    const name = path.slice(0, path.indexOf("["));
    const scope = this.byName.get(name);
    if (!scope || scope.parameters.length > 0 || this.#depth >= DEEPEST) return undefined;
    const { from, to } = scope.body;
    if (to - from > MAX_GETTER || (at >= from && at < to) || this.fragment.names.definition(name, at))
      return undefined;
    this.#depth++;
    const value = this.valueIn(scope.body, 1);
    this.#depth--;
    return value.level >= LEVEL.commandLine ? value : undefined;
  }

  /**
   * Returns the function of this file that a call refers to: the only one of its name, called without a receiver or
   * on the object itself, or a method of a class of this file, called on the class or on an instance. A method that
   * is not in the braces of its class is looked up by name alone: it may be beside it, as in Go, or inherited.
   */
  private functionCalledBy(path: string, at: number): FunctionScope | undefined {
    const name = path.slice(path.lastIndexOf(".") + 1, -2);
    if (!this.byName.has(name)) return undefined;
    if (OWN.test(path)) return this.byName.get(name);
    const receiver = this.receiverOf(path, at) ?? receiverPath(this.fragment, path, at);
    const [, owner = ""] = OF_CLASS.exec(receiver) ?? [];
    const methods = this.methods.get(owner);
    return methods && (methods.has(name) ? methods.get(name) : this.byName.get(name));
  }

  /** Go names the object itself before each of its methods: `func (s *Store) path(…) { s.root() }` is on a `Store`. */
  private receiverOf(path: string, at: number): string | undefined {
    const { fragment } = this;
    if (fragment.language !== "go") return undefined;
    const first = path.split(".", 1)[0] as string;
    for (const { start } of fragment.names.functionsAround(at)) {
      if (fragment.text(start + 1) !== "(" || fragment.text(start + 2) !== first) continue;
      const type = fragment.text(start + 3) === "*" ? start + 4 : start + 3;
      return fragment.text(type) + path.slice(first.length);
    }
    return undefined;
  }

  private resultOf(scope: FunctionScope, part: number): Value | undefined {
    const results = this.#results.get(scope) ?? new Map<number, Value>();
    this.#results.set(scope, results);
    const before = results.get(part);
    if (before) return before;
    const returns = this.returns.get(scope);
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

  /** Returns the highest level that calls in this file pass to a parameter. */
  levelOfCallers(definition: Definition): Level {
    const before = this.#callers.get(definition);
    if (before !== undefined) return before;
    this.#callers.set(definition, LEVEL.literal);
    const { function: scope, parameter } = definition;
    if (!scope?.name || !parameter || this.#depth >= DEEPEST) return LEVEL.literal;
    let worst: Level = LEVEL.literal;
    this.#depth++;
    for (const { path, args, at, start } of this.callsOf(scope.name)) {
      const isWithin = at >= scope.body.from && at < scope.body.to;
      if (isWithin || args.length === 0 || this.functionCalledBy(`${path}()`, start) !== scope) continue;
      const range = { from: (args[0] as Range).from, to: (args.at(-1) as Range).to };
      const argument = this.argumentFor(scope, parameter, range);
      if (!argument) continue;
      const { level, parameters } = this.valueIn(argument, 1);
      const outer = Math.max(0, ...parameters.map((each) => this.levelOfCallers(each)));
      worst = Math.max(worst, level, outer) as Level;
    }
    this.#depth--;
    this.#callers.set(definition, worst);
    return worst;
  }

  private callsOf(name: string) {
    return this.fragment.callsNamed(name).slice(0, MAX_CALLS);
  }

  private argumentFor(scope: FunctionScope, parameter: Parameter, args: Range): Range | undefined {
    const parts = splitAtCommas(this.fragment, args);
    const named = parts.find(
      ({ from }) =>
        this.fragment.text(from) === parameter.name && /^[=:]$/.test(this.fragment.text(from + 1)),
    );
    if (named) return { from: named.from + 2, to: named.to };
    const own = /^(?:self|cls)$/.test(scope.parameters[0]?.name ?? "") ? 1 : 0;
    return parts[scope.parameters.indexOf(parameter) - own];
  }

  /** Functions by name; undefined where several share a name. */
  private get byName(): Methods {
    if (this.#byName) return this.#byName;
    const byName: Methods = new Map();
    for (const scope of this.fragment.names.functions) add(byName, scope);
    this.#byName = byName;
    return byName;
  }

  /** The methods in the braces of each class, by the name of the class. */
  private get methods(): ReadonlyMap<string, Methods> {
    if (this.#methods) return this.#methods;
    const methods = new Map<string, Methods>();
    const classes = classesOf(this.fragment);
    for (const { name } of classes) methods.set(name, new Map());
    const open: { name: string; body: Range }[] = [];
    let next = 0;
    for (const scope of this.fragment.names.functions) {
      for (let each = classes[next]; each && each.head.to < scope.body.from; each = classes[++next])
        if (each.body) open.push({ name: each.name, body: each.body });
      while (open.length > 0 && (open.at(-1) as { body: Range }).body.to < scope.body.from) open.pop();
      const own = methods.get(open.at(-1)?.name ?? "");
      if (own) add(own, scope);
    }
    this.#methods = methods;
    return methods;
  }

  /** The returned expressions of each function that returns any. */
  private get returns(): ReadonlyMap<FunctionScope, readonly Range[]> {
    if (this.#returns) return this.#returns;
    const { fragment } = this;
    const { names } = fragment;
    const returns = new Map<FunctionScope, Range[]>();
    for (const at of fragment.words.get("return") ?? []) {
      const scope = names.functionAt(at);
      if (!scope) continue;
      const range = { from: at + 1, to: statementEnd(fragment, at + 1) };
      const own = returns.get(scope);
      if (own) own.push(range);
      else returns.set(scope, [range]);
    }
    for (const scope of names.functions) {
      if (fragment.text(scope.body.from - 1) === "=>") returns.set(scope, [scope.body]);
    }
    this.#returns = returns;
    return returns;
  }
}

type Methods = Map<string, FunctionScope | undefined>;

/** Adds a function by its name. A second function of the same name makes it ambiguous, hence undefined. */
function add(methods: Methods, scope: FunctionScope): void {
  if (scope.name && scope.parameters.length <= MAX_PARAMETERS)
    methods.set(scope.name, methods.has(scope.name) ? undefined : scope);
}
