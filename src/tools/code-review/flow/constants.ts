import type { Definition } from "../syntax/definitions/definition.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { LITERALS, MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";
import type { ReachingDefinitions } from "./reaching-definitions.ts";

export type Constant = string | number | boolean;

/** Maximum tokens of an expression that is evaluated, and maximum names to follow in it. */
const [MAX_TOKENS, DEEPEST] = [60, 6];
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(["||", "or"]),
  new Set(["&&", "and"]),
  new Set(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"]),
];
const [COMPARING, UNARY] = [2, LEVELS.length];

/** Constant folding: evaluates expressions of literals, and of names with constant values in the same function. */
export class Constants {
  readonly #named = new Map<Definition, Constant | undefined>();

  constructor(
    private readonly fragment: Fragment,
    private readonly reaching: () => ReachingDefinitions,
  ) {}

  /** Returns the value of an expression, or undefined if it is not constant. */
  of(range: Range, depth = 0): Constant | undefined {
    if (range.to <= range.from || range.to - range.from > MAX_TOKENS || depth > DEEPEST) return undefined;
    return new Reader(this.fragment, range, (name, at) => this.named(name, at, depth)).whole();
  }

  /** Returns a name's value if it has one definition, in the same function, and that is constant. */
  private named(name: string, at: number, depth: number): Constant | undefined {
    const [only, ...others] = this.reaching().definitions(name, at);
    if (only?.kind !== "assign" || others.length > 0) return undefined;
    const { names } = this.fragment;
    if (names.functionAt(only.at) !== names.functionAt(at)) return undefined;
    if (this.#named.has(only)) return this.#named.get(only);
    this.#named.set(only, undefined);
    const value = this.of(only.value, depth + 1);
    this.#named.set(only, value);
    return value;
  }
}

/** Reads an expression by the precedence of its operators. */
class Reader {
  private at: number;

  constructor(
    private readonly fragment: Fragment,
    private readonly range: Range,
    private readonly named: (name: string, at: number) => Constant | undefined,
  ) {
    this.at = range.from;
  }

  /** Returns the value of the whole range, or undefined if only its beginning can be read: `"abc"[0:2]`. */
  whole(): Constant | undefined {
    const value = this.level(0);
    return this.at === this.range.to ? value : undefined;
  }

  private within(range: Range): Constant | undefined {
    return new Reader(this.fragment, range, this.named).whole();
  }

  private level(level: number): Constant | undefined {
    if (level === UNARY) return this.unary();
    if (level === COMPARING && /^(?:not|!)$/.test(this.text) && this.isMarkOrWord()) {
      this.at++;
      const value = this.level(COMPARING);
      return value === undefined ? undefined : !value;
    }
    let left = this.level(level + 1);
    while (this.isMarkOrWord()) {
      const negated = level === COMPARING && this.text === "not" && this.fragment.text(this.at + 1) === "in";
      const operator = negated ? "in" : this.text;
      if (!LEVELS[level]?.has(operator)) break;
      this.at += negated ? 2 : 1;
      const right = this.level(level + 1);
      left = left === undefined || right === undefined ? undefined : applied(operator, left, right, negated);
    }
    return left;
  }

  private get text(): string {
    return this.at < this.range.to ? this.fragment.text(this.at) : "";
  }

  private isMarkOrWord(): boolean {
    const kind = this.fragment.tokens[this.at]?.kind;
    return kind === "mark" || kind === "word";
  }

  private unary(): Constant | undefined {
    if (this.text === "-" && this.isMarkOrWord()) {
      this.at++;
      const value = this.unary();
      return typeof value === "number" ? -value : undefined;
    }
    let value = this.primary();
    while (this.at < this.range.to) {
      const open = this.fragment.tokens[this.at];
      if (open?.text === "[" && open.partner > this.at) {
        value = this.memberOf(value, { from: this.at + 1, to: open.partner });
        this.at = open.partner + 1;
      } else if (MEMBER.has(this.text) && open?.kind === "mark") {
        const name = this.fragment.text(this.at + 1);
        const call = this.fragment.tokens[this.at + 2];
        const called = call?.text === "(" && call.partner > 0 && call.partner < this.range.to;
        if (/^(?:length|Length|size)$/.test(name) && typeof value === "string") value = value.length;
        else if (name === "charAt" && called) {
          value = this.memberOf(value, { from: this.at + 3, to: call.partner });
        } else value = undefined;
        this.at = called ? call.partner + 1 : this.at + 2;
      } else break;
    }
    return value;
  }

  private memberOf(value: Constant | undefined, range: Range): Constant | undefined {
    const index = this.within(range);
    if (typeof value !== "string" || typeof index !== "number") return undefined;
    return value.at(index);
  }

  private primary(): Constant | undefined {
    const index = this.at;
    const token = this.fragment.tokens[index];
    if (!token || index >= this.range.to) return undefined;
    if (token.kind === "open") {
      if (token.text !== "(" || token.partner < 0 || token.partner >= this.range.to) return undefined;
      this.at = token.partner + 1;
      return this.within({ from: index + 1, to: token.partner });
    }
    this.at++;
    if (token.kind === "string") return token.text;
    if (token.kind === "number") {
      const value = Number(token.text.replaceAll("_", ""));
      return Number.isFinite(value) ? value : undefined;
    }
    if (token.kind !== "word") return undefined;
    if (/^true$/i.test(token.text)) return true;
    if (/^false$/i.test(token.text)) return false;
    if (LITERALS.has(token.text)) return undefined;
    const next = this.fragment.tokens[this.at];
    if (next?.text === "(" && this.at < this.range.to) {
      if (token.text !== "len" || next.partner < 0) return undefined;
      const value = this.within({ from: this.at + 1, to: next.partner });
      this.at = next.partner + 1;
      return typeof value === "string" ? value.length : undefined;
    }
    return this.named(token.text, index);
  }
}

function applied(operator: string, left: Constant, right: Constant, negated: boolean): Constant | undefined {
  if (operator === "in") {
    if (typeof left !== "string" || typeof right !== "string") return undefined;
    return right.includes(left) !== negated;
  }
  if (operator === "==" || operator === "===") return left === right;
  if (operator === "!=" || operator === "!==") return left !== right;
  if (operator === "||" || operator === "or") return left || right;
  if (operator === "&&" || operator === "and") return left && right;
  if (operator === "+" && typeof left === "string" && typeof right === "string") return left + right;
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  return calculated(operator, left, right);
}

function calculated(operator: string, left: number, right: number): Constant | undefined {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? undefined : left / right;
    case "%":
      return right === 0 ? undefined : left % right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    default:
      return operator === ">=" ? left >= right : undefined;
  }
}
