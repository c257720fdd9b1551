import { classesOf } from "../../syntax/classes.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { statementEnd } from "../../syntax/statements.ts";
import { receiverPath } from "../receivers.ts";

/** Maximum parameters of a function that is followed. */
const MAX_PARAMETERS = 30;
const OWN = /^(?:(?:self|this|\$this|cls|static)\.)?[\w$]{1,80}\(\)$/;
/** `Finder().find()` on a new instance, `Finder.find()` on the class or on a name declared with it. */
const OF_CLASS = /^(\w{1,80})(?:\(\))?\.\w{1,80}\(\)$/;

export const ownFunctionsOf = oncePerFragment((fragment: Fragment) => new OwnFunctions(fragment));

/** The functions of a file: which one a call refers to, and what each returns. */
export class OwnFunctions {
  #byName?: Methods;
  #standing?: Methods;
  #methods?: ReadonlyMap<string, Methods>;
  readonly #inClasses = new Set<FunctionScope>();
  #returns?: ReadonlyMap<FunctionScope, readonly Range[]>;

  constructor(private readonly fragment: Fragment) {}

  /**
   * Returns the function of this file that a call refers to: the only one of its name, called without a receiver or
   * on the object itself, or a method of a class of this file, called on the class or on an instance. A method that
   * is not in the braces of its class is looked up by name alone: it may be beside it, as in Go, or inherited.
   */
  calledBy(path: string, at: number): FunctionScope | undefined {
    const name = path.slice(path.lastIndexOf(".") + 1, -2);
    if (!this.byName.has(name)) return undefined;
    if (OWN.test(path)) return this.byName.get(name);
    const receiver = this.receiverOf(path, at) ?? receiverPath(this.fragment, path, at);
    const [, owner = ""] = OF_CLASS.exec(receiver) ?? [];
    return this.methodOf(owner, name);
  }

  /** Returns the method of a class of this file, which may be beside it or inherited. */
  methodOf(owner: string, name: string): FunctionScope | undefined {
    const methods = this.methods.get(owner);
    return methods && (methods.has(name) ? methods.get(name) : this.byName.get(name));
  }

  /** Returns the function of a name that is in no other function and in no class; undefined if there are several. */
  standing(name: string): FunctionScope | undefined {
    if (!this.#standing) {
      this.#standing = new Map();
      for (const scope of this.fragment.names.functions) if (this.stands(scope)) add(this.#standing, scope);
    }
    return this.#standing.get(name);
  }

  private stands(scope: FunctionScope): boolean {
    const { names, tokens, language } = this.fragment;
    if (language === "python") {
      const first = this.fragment.text(scope.start - 1) === "async" ? scope.start - 1 : scope.start;
      return tokens[first]?.column === 0;
    }
    return !names.functionAt(scope.start) && !this.inClasses.has(scope);
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

  /** Functions by name; undefined where several share a name. */
  get byName(): Methods {
    if (this.#byName) return this.#byName;
    const byName: Methods = new Map();
    for (const scope of this.fragment.names.functions) add(byName, scope);
    this.#byName = byName;
    return byName;
  }

  private get inClasses(): ReadonlySet<FunctionScope> {
    return this.methods && this.#inClasses;
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
      if (!own) continue;
      add(own, scope);
      this.#inClasses.add(scope);
    }
    this.#methods = methods;
    return methods;
  }

  /** The returned expressions of each function that returns any. */
  get returns(): ReadonlyMap<FunctionScope, readonly Range[]> {
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
