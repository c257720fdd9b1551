import { splitAtCommas } from "../syntax/calls.ts";
import { classBodyAt } from "../syntax/definitions/class-bodies.ts";
import type { Definition } from "../syntax/definitions/definition.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isKeyword, LITERALS, MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";
import { EVERY_LANGUAGE } from "../taint/files.ts";
import { PURE_CALLS } from "../taint/tables.ts";
import { type Chain, chainFrom, isMadeHarmless } from "./chain.ts";
import { choiceAt } from "./choices.ts";
import { keyBehind, keysBehind, membersUnder, readIn } from "./collections.ts";
import { isChecked } from "./declared/checked.ts";
import { alternativesOf, endOfCallback, isArgumentName } from "./expression.ts";
import { CalledFunctions, type Follower } from "./functions/called-functions.ts";
import { decidingPart, isImported, isOfProject, isPartOfUnknown } from "./functions/strictness.ts";
import type { Guards } from "./guards/guards.ts";
import { isCalculated } from "./harmless/arithmetic.ts";
import { leadingPart } from "./harmless/fixed-addresses.ts";
import { formatted, lacksValues } from "./harmless/formats.ts";
import { isHarmlessTemplate } from "./harmless/templates.ts";
import { highest, LEVEL } from "./level.ts";
import { isOfMadeObject } from "./made-objects.ts";
import { type Reaching, reachingOf } from "./reaching.ts";
import { objectPath } from "./receivers.ts";
import { isHelper } from "./sanitizers.ts";
import { ASKED, beginningArguments, withoutOwnBase } from "./sources/own-address.ts";
import type { Sources } from "./sources/sources.ts";
import type { Target } from "./target.ts";
import { inlinedNames } from "./text-macros.ts";
import { areTypesChecked, castEnd, isDeclaredHarmless } from "./types.ts";
import { type Given, higher, isNothing, joined, NOTHING, UNKNOWN, type Value, valueAt } from "./value.ts";

/** Maximum definitions followed back from a use. */
const DEEPEST = 12;

/** Maximum leading names of a chain that are looked up as one. */
const MAX_MEMBERS = 4;
/** A field of the object itself, and the maximum definitions of it that are considered. */
const [FIELD, MAX_FIELDS] = [/^(?:(?:\$?this|self)\.|@)/, 10];

const PURE = new RegExp(`^(?:${EVERY_LANGUAGE.pureModules.join("|").replaceAll(".", "\\.")})[.(]`);

/** `self::ALLOWED`, `static::ALLOWED[…]` of PHP. */
const CONSTANT = /^(?:self|static)\.[A-Z][A-Z0-9_]{0,60}(?:\[\])?$/;

/** The environment can hold anything, unlike other members of a module. */
const ENVIRONMENT = /^os\.environ\b/;

/** Returns what follows the values of a file for a target, strictly or not. */
export type FollowerOf = (fragment: Fragment, target: Target | undefined, isStrict: boolean) => ValueFollower;

/** Follows the values of a file back through its definitions, for a target. */
export class ValueFollower implements Follower {
  readonly #values = new Map<Definition, Value>();
  readonly #reaching: Reaching;
  readonly #guards: Guards;
  readonly functions: CalledFunctions;

  constructor(
    private readonly fragment: Fragment,
    private readonly sources: Sources,
    readonly target: Target | undefined,
    /**
     * Whether values are followed only as far as it is known what becomes of them, and so across files. Otherwise, what a
     * function is given is taken to be in its result as long as nothing is known of it.
     */
    private readonly isStrict: boolean,
    private readonly followerOf: FollowerOf,
  ) {
    this.#reaching = reachingOf(fragment);
    this.#guards = this.#reaching.guards;
    const elsewhere = (other: Fragment) => followerOf(other, target, isStrict);
    this.functions = new CalledFunctions(fragment, this, elsewhere, isStrict);
  }

  given(range: Range): Given {
    const deciding = this.isStrict ? decidingPart(this.fragment, this.target, range) : range;
    const { level, parameters } = this.valueIn(deciding, 0);
    const given = parameters.map((each) => this.functions.givenTo(each)).reduce(higher, { level });
    if (this.isStrict || parameters.length === 0 || !isImported(this.fragment)) return given;
    const handed = this.followerOf(this.fragment, this.target, true).given(range);
    return handed.by ? higher(given, handed) : given;
  }

  valueIn(range: Range, depth: number): Value {
    const parts = alternativesOf(this.fragment, this.#reaching, this.target, range);
    return joined(parts.map((part) => this.partOf(leadingPart(this.fragment, this.target, part), depth)));
  }

  private partOf({ from, to }: Range, depth: number): Value {
    const { tokens, language } = this.fragment;
    if (isCalculated(this.fragment, { from, to })) return NOTHING;
    const values: Value[] = [];
    for (let index = from; index < to; index++) {
      const token = tokens[index];
      const callback = endOfCallback(this.fragment, index);
      if (callback !== undefined) {
        index = Math.max(index, callback - 1);
        continue;
      }
      const choice = token?.kind === "word" ? choiceAt(this.fragment, index) : undefined;
      if (choice) {
        for (const value of choice.values) values.push(this.valueIn(value, depth));
        index = choice.end - 1;
        continue;
      }
      const cast = token?.kind === "open" ? castEnd(this.fragment, index, to) : undefined;
      if (cast !== undefined) {
        index = cast - 1;
        continue;
      }
      if (token?.kind === "open" && token.partner > index && token.partner < to) {
        const open = index;
        index = token.partner;
        // A call or member behind it may make it harmless: `(a + b).length`.
        const isHarmless =
          isHarmlessTemplate(this.fragment, open, this.target) ||
          isMadeHarmless(this.fragment, index, to, this.target);
        if (!isHarmless) values.push(this.bracketed(open, depth, keysBehind(this.fragment, open, from)));
        continue;
      }
      if (token?.kind === "string" && MEMBER.has(this.fragment.text(index + 1))) {
        // `"admin".equals(name)`
        const asked = chainFrom(this.fragment, index, to, this.target);
        if (asked.harmless) index = asked.end - 1;
        continue;
      }
      if (token?.kind !== "word" || isArgumentName(this.fragment, index)) continue;
      if (MEMBER.has(this.fragment.text(index - 1)) && index > from) continue;
      if (isKeyword(this.fragment.language, token.text) || LITERALS.has(token.text)) continue;
      const inlined = inlinedNames(this.fragment, index);
      for (const name of inlined ?? []) values.push(this.valueOfName(name, index, depth));
      if (inlined) continue;
      const chain = chainFrom(this.fragment, index, to, this.target);
      // C# writes `switch` behind its subject.
      const switched =
        language === "csharp" && chain.end < to ? choiceAt(this.fragment, chain.end, index) : undefined;
      if (switched) {
        for (const value of switched.values) values.push(this.valueIn(value, depth));
        index = switched.end - 1;
        continue;
      }
      // A new object holds the arguments of its constructor, unless the constructor is in this file and followed.
      const isMade = this.fragment.text(index - 1) === "new" && /^[(<]$/.test(this.fragment.text(index + 1));
      const given = isMade && this.functions.result(chain.path, index, chain.given, depth);
      if (isMade && this.target === "address" && ASKED.test(chain.path)) {
        values.push(this.asSent({ from: index, to: chain.end }));
        index = chain.end - 1;
        continue;
      }
      const isHolder = isMade && !this.sources.ends(this.fragment, chain.path);
      if (isHolder && !chain.harmless && !chain.looksUp && !given) continue;
      if (!chain.harmless)
        values.push(given || (chain.looksUp ? UNKNOWN : this.valueOfChain(chain, index, depth)));
      if (values.at(-1)?.level === LEVEL.request) break;
      index = chain.end - 1;
    }
    return joined(values);
  }

  /** Returns the value of a bracket's contents: a list, the holes of a text, a part of an expression. */
  private bracketed(open: number, depth: number, keys: number): Value {
    const { partner } = this.fragment.tokens[open] as { partner: number };
    const all = splitAtCommas(this.fragment, { from: open + 1, to: partner }).slice(keys);
    const parts = withoutOwnBase(this.fragment, this.target, open, all);
    return joined(parts.map((part) => this.valueIn(part, depth)));
  }

  private valueOfChain({ path, given, end }: Chain, at: number, depth: number): Value {
    const resolved = objectPath(this.fragment, path, at);
    const isAddress = this.target === "address";
    const range = { from: at, to: end };
    if (isChecked(this.fragment, range)) return NOTHING;
    if (isAddress && ASKED.test(path)) return this.asSent(range);
    const source = this.sources.read(this.fragment, this.target, [path, resolved], range);
    if (source?.level === LEVEL.request && this.#guards.isChainTested(at, end, this.target)) return NOTHING;
    if (source) return source;
    if (depth >= DEEPEST || isOfMadeObject(this.fragment, this.#reaching, path, at, this.target))
      return UNKNOWN;
    const helped = this.functions.result(path, at, given, depth);
    if (helped) return helped;
    const isLost = this.isStrict && isOfProject(this.fragment, path, at);
    const read = readIn(this.fragment, this.#reaching, path, at);
    const own = this.valueOfName(read?.collection ?? path, at, depth);
    // If the collection has fixed values, the key that chooses one of them does not matter.
    const key = own.level > LEVEL.unknown || own.parameters.length > 0 ? undefined : read?.call;
    const beginning = isAddress ? beginningArguments(this.fragment, path, at) : [];
    const args = given.map((range, call) => splitAtCommas(this.fragment, range).slice(0, beginning[call]));
    if (isLost) return own;
    if (lacksValues(this.fragment, path, args.at(-1) ?? [])) return UNKNOWN;
    const others = args.flatMap((each, call) =>
      (call === args.length - 1 ? formatted(this.fragment, path, each) : each)
        .slice(call === key ? 1 : 0)
        .map((argument) => this.valueIn(argument, depth)),
    );
    const isFixed =
      others.length > 0 && others.every(isNothing) && isHelper(this.fragment.language, resolved);
    return isFixed ? NOTHING : joined([own, ...others]);
  }

  /** Returns the value of what is read from an address, which the client chose even if the address is this site's. */
  private asSent(range: Range): Value {
    return valueAt(this.followerOf(this.fragment, undefined, false).given(range).level);
  }

  private valueOfName(path: string, at: number, depth: number): Value {
    const { fragment } = this;
    const members = path.split(/[([]/, 1)[0]?.split(".", MAX_MEMBERS) ?? [];
    const [first = ""] = members;
    const isCallee = path.startsWith(`${first}(`);
    for (let count = members.length; count > 1; count--) {
      const name = members.slice(0, count).join(".");
      const member = this.valueOfVariable(name, at, depth) ?? this.valueOfField(name, depth);
      if (member) return member;
    }
    const variable = isCallee ? undefined : this.valueOfVariable(first, at, depth);
    const own = variable ?? (first.startsWith("@") ? this.valueOfField(first, depth) : undefined);
    if (own) return own;
    if (this.sources.isWhole(fragment, path)) return valueAt(LEVEL.request);
    if (fragment.names.imports.has(first) || /^[A-Z][A-Z0-9_]{1,60}$/.test(first)) {
      // Members and constants of a module are fixed. Results of its functions are so only if those are pure.
      if (ENVIRONMENT.test(fragment.names.resolve(path))) return UNKNOWN;
      return path.includes("(") && !PURE.test(fragment.names.resolve(path)) ? UNKNOWN : NOTHING;
    }
    // A hunk of Go seldom shows its imports.
    if ((/^[A-Z]/.test(first) || fragment.language === "go") && PURE.test(path)) return NOTHING;
    if (isCallee && PURE_CALLS[fragment.language]?.has(first)) return NOTHING;
    if (CONSTANT.test(path)) return NOTHING;
    // Classes and namespaces are not values.
    if (/^[A-Z]/.test(first) && path !== first && !path.includes("(")) return NOTHING;
    return UNKNOWN;
  }

  private valueOfVariable(name: string, at: number, depth: number): Value | undefined {
    const definitions = this.#reaching.definitions(name, at);
    if (this.#guards.isTested(name, at, definitions, this.target)) return NOTHING;
    if (definitions.length === 0) return undefined;
    const key = name.includes(".") ? undefined : keyBehind(this.fragment, this.#reaching, at);
    const members =
      key === undefined ? undefined : membersUnder(this.fragment, this.#reaching, definitions, key, at);
    if (members) return joined(members.map((range) => this.valueIn(range, depth + 1)));
    const given = definitions.filter((each) => !this.#guards.isReplaced(each, at, definitions, this.target));
    return joined(given.map((definition) => this.valueOfDefinition(definition, depth)));
  }

  /** Returns the value of a field if a method of the class assigns request data to it. */
  private valueOfField(name: string, depth: number): Value | undefined {
    if (!FIELD.test(name) || depth >= DEEPEST) return undefined;
    const definitions = this.fragment.names.all(name).slice(0, MAX_FIELDS);
    if (definitions.length === 0) return this.isFixedOfClass(name, depth) ? NOTHING : undefined;
    const values = definitions.map((each) =>
      each.kind === "assign" ? this.valueOfDefinition(each, depth).level : LEVEL.literal,
    );
    const worst = highest(values);
    return worst >= LEVEL.commandLine ? valueAt(worst) : undefined;
  }

  /** Whether only the body of a class of Python sets a member, to fixed values: `table = "users"`. */
  private isFixedOfClass(name: string, depth: number): boolean {
    const all = this.fragment.names.all(name.slice(name.indexOf(".") + 1)).slice(0, MAX_FIELDS);
    const own = all.filter(({ at }) => classBodyAt(this.fragment, at) !== undefined);
    return own.length > 0 && own.every((each) => isNothing(this.valueOfDefinition(each, depth)));
  }

  private valueOfDefinition(definition: Definition, depth: number): Value {
    const before = this.#values.get(definition);
    if (before) return before;
    this.#values.set(definition, NOTHING);
    const value = this.computed(definition, depth);
    // A result that was cut off at `DEEPEST` is not cached: a shorter way to the definition may see more.
    if (depth < DEEPEST - 1) this.#values.set(definition, value);
    else this.#values.delete(definition);
    return value;
  }

  private computed(definition: Definition, depth: number): Value {
    const { kind, value, parameter, function: scope, at } = definition;
    const isHarmless = isDeclaredHarmless(this.fragment, at);
    if (isHarmless && areTypesChecked(this.fragment)) return NOTHING;
    if (kind === "parameter") {
      if (!parameter || !scope) return valueAt(LEVEL.parameter);
      const filling = this.sources.filling(this.fragment, scope, parameter, this.target);
      if (filling === "converted") return NOTHING;
      // FastAPI checks the types of what it fills from a request.
      if (filling === "sent" && !(isHarmless && this.fragment.language === "python"))
        return valueAt(LEVEL.request);
      return isHarmless ? NOTHING : { level: LEVEL.literal, parameters: [definition] };
    }
    // The contents of an opened file are unknown, whoever chose its name.
    if (kind === "enter" || (this.isStrict && isPartOfUnknown(this.fragment, definition))) return UNKNOWN;
    const deciding =
      this.isStrict && kind === "assign" ? decidingPart(this.fragment, this.target, value) : value;
    const own = this.functions.partOf(definition, depth) ?? this.valueIn(deciding, depth + 1);
    return this.sources.isTakenOut(this.fragment, definition) ? valueAt(LEVEL.request) : own;
  }
}
