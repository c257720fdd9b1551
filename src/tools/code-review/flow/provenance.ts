import { HOLE_OPEN } from "../lexer/token.ts";
import type { Definition } from "../syntax/definitions.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isKeyword, LITERALS, MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";
import { LEVEL, type Level } from "./level.ts";
import { isRequestParameter, isRequestPath } from "./request-sources.ts";
import { HARMLESS_MEMBERS, makesHarmless } from "./sanitizers.ts";

/** Definitions followed back from a use; more than anyone reads. */
const DEEPEST = 6;
/** Of a chain of members and calls: what follows is judged by itself. */
const MAX_PARTS = 40;

export interface Provenance {
  /** The worst that goes into an expression. */
  of(range: Range): Level;
  /** The string that an expression is, followed through names; undefined where it is more than that. */
  literal(range: Range): LiteralString | undefined;
}

export interface LiteralString {
  text: string;
  /** Index of its token. */
  at: number;
}

const known = new WeakMap<Fragment, Provenance>();

/** Follows values back through the definitions of a hunk (a taint analysis within one hunk). */
export function provenanceOf(fragment: Fragment): Provenance {
  const before = known.get(fragment);
  if (before) return before;
  const made = createProvenance(fragment);
  known.set(fragment, made);
  return made;
}

function createProvenance(fragment: Fragment): Provenance {
  const { tokens, language, names } = fragment;
  const levels = new Map<Definition, Level>();

  function levelOf({ from, to }: Range, depth: number): Level {
    let level: Level = LEVEL.literal;
    for (let index = from; index < to; index++) {
      const token = tokens[index];
      const callback = endOfFunction(index);
      if (callback !== undefined) {
        index = Math.max(index, callback - 1);
        continue;
      }
      if (token?.kind !== "word") continue;
      const before = fragment.text(index - 1);
      if (isArgumentName(index)) continue;
      if (MEMBER.has(before) && index > from) {
        // A member of what is not a name: a call's result, of which the call was judged.
        if (fragment.text(index + 1) === "(" && makesHarmless(token.text, token.text))
          level = lowered(level, index);
        continue;
      }
      if (isKeyword(language, token.text) || LITERALS.has(token.text)) continue;
      if (fragment.text(index - 1) === "new" && fragment.text(index + 1) === "(") continue;
      const chain = chainFrom(index, to);
      if (chain.harmless) {
        index = chain.end - 1;
        continue;
      }
      level = worse(level, referenceLevel(chain, index, depth));
      if (level === LEVEL.request) return level;
      index = chain.lastName;
    }
    return level;
  }

  /** `a.b(…).c[0]` from its first name on. */
  function chainFrom(start: number, to: number) {
    let path = fragment.text(start);
    let name = path;
    let [end, lastName] = [start + 1, start];
    let harmless = false;
    let called = false;
    for (let parts = 0; end < to && parts < MAX_PARTS; parts++) {
      const token = tokens[end];
      if (token?.kind === "open" && (token.text === "(" || token.text === "[") && token.partner > end) {
        if (token.text === "(") {
          if (makesHarmless(name, path)) harmless = true;
          called = true;
          path += "()";
        } else path += "[]";
        end = token.partner + 1;
        continue;
      }
      if (token?.kind !== "mark" || !MEMBER.has(token.text) || !fragment.isWord(end + 1)) break;
      name = fragment.text(end + 1);
      path += `.${name}`;
      if (!called) lastName = end + 1;
      end += 2;
      if (HARMLESS_MEMBERS.has(name)) harmless = true;
    }
    return { path, end, lastName, harmless };
  }

  function referenceLevel({ path }: { path: string }, at: number, depth: number): Level {
    const resolved = names.resolve(path);
    if (isRequestPath(language, path) || isRequestPath(language, resolved)) return LEVEL.request;
    if (depth >= DEEPEST) return LEVEL.unknown;
    const [first = "", second = ""] = path.split(/[.([]/);
    const member = second && names.definition(`${first}.${second}`, at);
    const definition = member || names.definition(first, at);
    if (definition) {
      const isCallee = definition === member ? false : path.startsWith(`${first}(`);
      if (!isCallee) return definitionLevel(definition, depth);
    }
    if (names.imports.has(first) || /^[A-Z][A-Z0-9_]{1,60}$/.test(first)) {
      // A module's own members and constants; what its functions return is another matter.
      return path.includes("(") ? LEVEL.unknown : LEVEL.literal;
    }
    // Classes and namespaces are no values.
    if (/^[A-Z]/.test(first) && path !== first && !path.includes("(")) return LEVEL.literal;
    return LEVEL.unknown;
  }

  function definitionLevel(definition: Definition, depth: number): Level {
    const before = levels.get(definition);
    if (before !== undefined) return before;
    levels.set(definition, LEVEL.literal);
    const level = computeDefinition(definition, depth);
    // A chain that was cut off says nothing to those who come by a shorter one.
    if (depth < DEEPEST - 1) levels.set(definition, level);
    else levels.delete(definition);
    return level;
  }

  function computeDefinition(definition: Definition, depth: number): Level {
    const { kind, value, parameter, function: scope, name, at } = definition;
    if (kind === "parameter") {
      if (!parameter || !scope) return LEVEL.parameter;
      return isRequestParameter(fragment, scope, parameter) || isRequestPattern(parameter.declared, name)
        ? LEVEL.request
        : LEVEL.parameter;
    }
    const level = levelOf(value, depth + 1);
    if (kind !== "add") return isDestructured(definition) ? destructuredLevel(definition, level) : level;
    const earlier = names.definition(name, at);
    return earlier ? worse(level, definitionLevel(earlier, depth + 1)) : level;
  }

  /** `({ query }: Request)`: what is taken out of a request by name. */
  function isRequestPattern({ from, to }: Range, name: string): boolean {
    if (fragment.text(from) !== "{") return false;
    const type = fragment.text(to - 1);
    return /Request$/.test(type) && isRequestPath(language, `req.${name}`);
  }

  function isDestructured({ at, value }: Definition): boolean {
    const after = fragment.text(at + 1);
    return value.from > at && (after === "," || after === "}") && fragment.text(value.from - 2) === "}";
  }

  /** `const { query } = req` */
  function destructuredLevel({ name, value }: Definition, level: Level): Level {
    const whole = fragment.isWord(value.from) && value.to === value.from + 1;
    return whole && isRequestPath(language, `${fragment.text(value.from)}.${name}`) ? LEVEL.request : level;
  }

  /** The name of a member or argument, not a value: `{ key: …`, `f(key=…`. */
  function isArgumentName(index: number): boolean {
    const after = fragment.text(index + 1);
    const before = fragment.text(index - 1);
    if (after === "=" && (before === "," || before === "("))
      return language === "python" || language === "ruby";
    if (after !== ":" || fragment.text(index + 2) === ":") return false;
    return before === "{" || before === "," || before === "(";
  }

  /** Of a callback that begins here: its own values are not the expression's. */
  function endOfFunction(index: number): number | undefined {
    if (language !== "javascript") return undefined;
    const token = tokens[index];
    const begins =
      token?.text === "function" ||
      (token?.kind === "word" && fragment.text(index + 1) === "=>") ||
      (token?.text === "(" && token.partner > 0 && fragment.text(token.partner + 1) === "=>");
    if (!begins) return undefined;
    const scope = names.functionsByStart.get(index);
    return scope ? scope.body.to + 1 : index + 1;
  }

  function lowered(level: Level, index: number): Level {
    return tokens[index - 2]?.kind === "close" ? LEVEL.literal : level;
  }

  function literal({ from, to }: Range, depth = 0): LiteralString | undefined {
    const token = tokens[from];
    if (to - from === 1 && token?.kind === "string") return { text: token.text, at: from };
    if (depth >= DEEPEST || token?.kind !== "word") return undefined;
    let end = from + 1;
    while (end < to && MEMBER.has(fragment.text(end)) && fragment.isWord(end + 1)) end += 2;
    if (end !== to) return undefined;
    const path = tokens
      .slice(from, to)
      .map(({ kind, text }) => (kind === "mark" ? "." : text))
      .join("");
    const definition = names.definition(path, from);
    if (definition?.kind === "assign") return literal(definition.value, depth + 1);
    const dot = path.indexOf(".");
    const owner = dot > 0 ? names.definition(path.slice(0, dot), from) : undefined;
    return owner?.kind === "assign" ? memberLiteral(owner.value, path.slice(dot + 1), depth) : undefined;
  }

  /** The member of an object that is written out. */
  function memberLiteral({ from, to }: Range, name: string, depth: number): LiteralString | undefined {
    for (let index = from; index < to; index++) {
      if (fragment.text(index) !== name || fragment.text(index + 1) !== ":") continue;
      return literal({ from: index + 2, to: index + 3 }, depth + 1);
    }
    return undefined;
  }

  return { of: (range) => levelOf(range, 0), literal: (range) => literal(range) };
}

function worse(a: Level, b: Level): Level {
  return a > b ? a : b;
}

/** True where a string has holes with code in them. */
export function hasHoles(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) if (fragment.text(index) === HOLE_OPEN) return true;
  return false;
}
