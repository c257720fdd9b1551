import { defined } from "../../../../system/defined.ts";
import { enclosingBracket } from "../brackets.ts";
import { splitAtCommas } from "../calls.ts";
import { expressionEnd, type FunctionScope } from "../functions/functions.ts";
import { namesIn } from "../functions/parameters.ts";
import { block, entered, loop } from "../heads.ts";
import { isKeyword, MEMBER } from "../keywords.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import type { Range } from "../range.ts";
import { changedByReference, filled } from "./by-reference.ts";
import type { Definition } from "./definition.ts";
import { bracketedNames, typedNames } from "./several-names.ts";
import { seenSince, seenUntil } from "./visibility.ts";

const ADDING = new Set(["+=", "||=", "&&=", "??=", "<<"]);
const JOINING = new Set(
  "push push_str append add unshift extend write concat put set insert AppendFormat Append AppendLine".split(
    " ",
  ),
);
/** Methods whose last argument is the value, and the arguments before it the key. */
const KEYED = new Set("set put setdefault setAttribute setProperty setItem Add".split(" "));
/** Methods that return the builder they add to, and maximum of them in a row. */
const [CHAINED, MAX_CHAINED] = [/^(?:append|Append(?:Format|Line)?)$/, 50];
const WRITING = /^Write(?:String|Rune|Byte)?$/;
/** Maximum occurrences of a name that are searched for its declaration. */
const MAX_PLACES = 10;
const DROPPING = new Set("pop shift remove removeFirst removeLast RemoveAt delete_at popleft".split(" "));
const EACH = new Set(
  "map forEach filter flatMap each find some every for_each reduce each_with_index collect select sort findIndex".split(
    " ",
  ),
);

/** Maximum consecutive indexes behind a name: `a[b][c]`. */
const MAX_NESTED = 5;

/** Returns all definitions of names, in the order of the text. */
export function definitionsOf(fragment: LexedFragment, functions: readonly FunctionScope[]): Definition[] {
  const given = functions.flatMap((scope) => parameters(fragment, scope));
  const parameterAt = new Map(given.map((each) => [each.at, each]));
  const made = [...definitionsIn(fragment)].map((each) => {
    // The value that a parameter has unless one is given.
    const scope = parameterAt.get(each.at)?.function;
    if (scope) return { ...each, function: scope };
    return { ...each, ...defined({ since: seenSince(fragment, each), until: seenUntil(fragment, each) }) };
  });
  return [...made, ...given].sort((a, b) => a.at - b.at);
}

function* definitionsIn(fragment: LexedFragment): Iterable<Definition> {
  const { tokens, language } = fragment;
  /** The end of the outermost bracket of Python in which `name=` names an argument. */
  let argumentsEnd = -1;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.text === "(" && language === "python" && fragment.text(index - 2) !== "def")
      argumentsEnd = Math.max(argumentsEnd, token.partner);
    if (token?.kind === "mark") {
      if (token.text === "=" && (index < argumentsEnd || isNamedArgument(fragment, index))) continue;
      if (token.text === "=" || token.text === ":=") yield* assignment(fragment, index);
      else if (ADDING.has(token.text)) yield* addition(fragment, index);
    } else if (token?.kind === "word") {
      if (/^(?:for|foreach|async)$/.test(token.text)) yield* loop(fragment, index);
      else if (token.text === "with" && fragment.language === "python") yield* entered(fragment, index);
      else if (token.text === "out" && fragment.language === "csharp") yield* filled(fragment, index);
      else if (fragment.text(index + 1) === "(")
        yield* [...changing(fragment, index), ...changedByReference(fragment, index)];
      else if (token.text === "do" && fragment.language === "ruby") yield* block(fragment, index);
    } else if (token?.text === "{" && fragment.language === "ruby") yield* block(fragment, index);
  }
}

const NAMING = /\.(?:kts?|sc|scala)$/;

/** `show(name = value)` of Kotlin and Scala, `info!(name = value)` of Rust. */
function isNamedArgument(fragment: LexedFragment, equals: number): boolean {
  if (fragment.language === "rust") {
    const open = enclosingBracket(fragment, equals);
    return open !== undefined && fragment.text(open) === "(";
  }
  return NAMING.test(fragment.path) && /^[(,]$/.test(fragment.text(equals - 2));
}

function assignment(fragment: LexedFragment, equals: number): Definition[] {
  const { tokens } = fragment;
  const value = { from: equals + 1, to: expressionEnd(fragment, equals + 1) };
  if (value.to <= value.from) return [];
  const typed = typedNames(fragment, equals);
  if (typed.length > 0) return typed.map((each) => ({ ...each, kind: "assign", value }));
  const before = tokens[equals - 1];
  const listed =
    before?.kind === "close" && before.text !== "}" && before.partner >= 0
      ? bracketedNames(fragment, before.partner, equals - 1)
      : [];
  if (listed.length > 0) return listed.map((each) => ({ ...each, kind: "assign", value }));
  if (before?.text === "]" && before.partner > 0) {
    // `a[b][c] = d` adds to `a`.
    const open = outermostIndex(fragment, before.partner);
    const name = isIndexed(fragment, open) ? dotted(fragment, open - 1) : "";
    if (name && open < before.partner) return [{ name, at: open - 1, kind: "add", value }];
    const key = { from: open + 1, to: equals - 1 };
    if (name) return [{ name, at: open - 1, kind: key.from < key.to ? "member" : "add", key, value }];
  }
  if (before?.kind === "close" && (before.text === "}" || before.text === "]") && before.partner >= 0) {
    const names = namesIn(fragment, { from: before.partner + 1, to: equals - 1 });
    if (before.text === "}" || isKeyword(fragment.language, fragment.text(before.partner - 1))) {
      return names.map(({ name, at }) => ({ name, at, kind: "assign", value }));
    }
    return [];
  }
  const target = targetBefore(fragment, equals);
  if (!target) return [];
  const all: Definition[] = [{ ...target, kind: "assign", value }];
  // `a, b = f()` of Python, Ruby and Go.
  for (let at = target.at; fragment.text(at - 1) === "," && fragment.isWord(at - 2); at -= 2) {
    const token = tokens[at - 2];
    if (!token || token.line !== fragment.lineOf(equals) || MEMBER.has(fragment.text(at - 3))) break;
    all.push({ name: token.text, at: at - 2, kind: "assign", value });
  }
  return all;
}

/** Returns the index of the first bracket of `a[b][c]`. */
function outermostIndex(fragment: LexedFragment, last: number): number {
  let open = last;
  for (let depth = 0; fragment.text(open - 1) === "]" && depth < MAX_NESTED; depth++)
    open = fragment.tokens[open - 1]?.partner ?? -1;
  return open;
}

/** Whether a bracket indexes a name, `a[…]`, and does not follow a keyword, `const […]`. */
function isIndexed(fragment: LexedFragment, open: number): boolean {
  return fragment.isWord(open - 1) && !isKeyword(fragment.language, fragment.text(open - 1));
}

/** Returns the target of an assignment: a name, `name: Type`, or a member. */
function targetBefore(fragment: LexedFragment, equals: number): { name: string; at: number } | undefined {
  let at = equals - 1;
  const limit = equals - 16;
  while (
    at > limit &&
    fragment.isWord(at) === false &&
    /^(?:>|>>|\]|\[|\)|"|'|\?|!)$/.test(fragment.text(at))
  ) {
    const token = fragment.tokens[at];
    if (token?.kind === "close") {
      // `a[b] = c` does not assign to a name.
      if (token.text === "]" && fragment.isWord(token.partner - 1)) return undefined;
      at = token.partner - 1;
    } else at--;
  }
  const generic = fragment.text(equals - 1) === ">" || fragment.text(equals - 1) === ">>";
  for (let index = at; index > limit; index--) {
    const token = fragment.tokens[index];
    if (!token || token.kind === "open" || token.kind === "string" || token.text === ";") break;
    if (token.text === "," && !generic) break;
    // A colon on the line above ends the head of the block that this statement begins.
    if (token.line !== fragment.lineOf(at)) break;
    if (token.text === ":" && fragment.isWord(index - 1) && fragment.text(index + 1) !== ":") {
      at = index - 1;
      break;
    }
  }
  if (!fragment.isWord(at)) return undefined;
  return { name: dotted(fragment, at), at };
}

/** Returns `this.key` for a member, the name alone for a variable. */
function dotted(fragment: LexedFragment, at: number): string {
  let name = fragment.text(at);
  for (let index = at; MEMBER.has(fragment.text(index - 1)) && fragment.isWord(index - 2); index -= 2) {
    name = `${fragment.text(index - 2)}.${name}`;
  }
  return name;
}

function addition(fragment: LexedFragment, mark: number): Definition[] {
  if (!fragment.isWord(mark - 1)) return [];
  const value = { from: mark + 1, to: expressionEnd(fragment, mark + 1) };
  // `$id += 0` of PHP leaves a number.
  const isNumber = fragment.language === "php" && fragment.tokens[mark + 1]?.kind === "number";
  const kind = isNumber && value.to === mark + 2 && fragment.written(mark) === "+" ? "assign" : "add";
  return [{ name: dotted(fragment, mark - 1), at: mark - 1, kind, value }];
}

/** Whether a Go name is a buffer, such as `var text strings.Builder`, and not a response writer. */
function isBuffer(fragment: LexedFragment, at: number): boolean {
  const places = fragment.words.get(fragment.text(at))?.slice(0, MAX_PLACES) ?? [];
  return places.some((place) =>
    fragment.tokens
      .slice(place + 1, place + 6)
      .some(
        ({ text, line }) =>
          line === fragment.lineOf(place) && /^(?:Builder|(?:New)?Buffer(?:String)?)$/.test(text),
      ),
  );
}

/** Returns the builder that a chain of additions begins with, from the token before the last: `text.append(a).append(b)`. */
function builderBefore({ tokens }: LexedFragment, last: number): number {
  let at = last;
  for (let calls = 0; tokens[at]?.kind === "close" && calls < MAX_CHAINED; calls++) {
    const name = (tokens[at]?.partner ?? 0) - 1;
    if (!CHAINED.test(tokens[name]?.text ?? "") || !MEMBER.has(tokens[name - 1]?.text ?? "")) return -1;
    at = name - 2;
  }
  return at;
}

/** `list.push(value)`, `map.set(key, value)`, `list.pop()`: calls that change the contents of the receiver. */
function changing(fragment: LexedFragment, at: number): Definition[] {
  const text = fragment.text(at);
  const isWriting = fragment.language === "go" && WRITING.test(text) && isBuffer(fragment, at - 2);
  if (!isWriting && !JOINING.has(text) && !KEYED.has(text) && !DROPPING.has(text)) return [];
  const close = fragment.tokens[at + 1]?.partner ?? -1;
  if (close < 0 || !MEMBER.has(fragment.text(at - 1))) return [];
  const owner = CHAINED.test(text) ? builderBefore(fragment, at - 2) : at - 2;
  if (!fragment.isWord(owner)) return [];
  const name = dotted(fragment, owner);
  const given = { from: at + 2, to: close };
  if (DROPPING.has(text)) return [{ name, at, kind: "drop", value: { from: at, to: at }, key: given }];
  const last = KEYED.has(text) ? splitAtCommas(fragment, given).at(-1) : undefined;
  if (last && last.from > given.from) {
    return [{ name, at, kind: "member", key: { from: given.from, to: last.from - 1 }, value: last }];
  }
  return [{ name, at, kind: "add", value: given }];
}

/** Defines a function's parameters. Those of a callback of `map` or a similar method are members of the list. */
function parameters(fragment: LexedFragment, scope: FunctionScope): Definition[] {
  const list = listOf(fragment, scope);
  return scope.parameters.map((parameter) => ({
    name: parameter.name,
    at: parameter.at,
    kind: list ? "each" : "parameter",
    value: list ?? { from: parameter.at, to: parameter.at },
    parameter,
    function: scope,
  }));
}

function listOf(fragment: LexedFragment, { start }: FunctionScope): Range | undefined {
  const open = fragment.text(start - 1) === "async" ? start - 2 : start - 1;
  if (
    fragment.text(open) !== "(" ||
    !EACH.has(fragment.text(open - 1)) ||
    !MEMBER.has(fragment.text(open - 2))
  ) {
    return undefined;
  }
  let from = open - 2;
  for (;;) {
    const before = fragment.tokens[from - 1];
    if (before?.kind === "close" && before.partner >= 0) from = before.partner;
    else if (before?.kind === "word" || (before?.kind === "mark" && MEMBER.has(before.text))) from--;
    else break;
  }
  return { from, to: open - 2 };
}

/** Languages in which `String[] names = { a, b }` makes a list. */
const INITIALISING = new Set(["java", "csharp", "c", "cpp"]);
const LISTS = /^(?:asList|of|listOf|arrayOf|array|Array)$/;

/** Returns the members of a list literal: `[a, b]`, `new String[] {a, b}`, `Arrays.asList(a, b)`. */
export function membersOf(fragment: LexedFragment, { from, to }: Range): Range[] {
  const open = openOf(fragment, { from, to });
  const bracket = fragment.tokens[open];
  if (!bracket || bracket.partner !== to - 1) return [];
  return splitAtCommas(fragment, { from: open + 1, to: to - 1 });
}

function openOf(fragment: LexedFragment, { from, to }: Range): number {
  const first = fragment.tokens[from];
  if (first?.text === "[" && first.partner === to - 1) return from;
  // A comma distinguishes a Python tuple from an expression in brackets.
  if (fragment.language === "python" && first?.text === "(" && first.partner === to - 1)
    return splitAtCommas(fragment, { from: from + 1, to: to - 1 }).length > 1 ? from : -1;
  if (fragment.text(from) === "{" && INITIALISING.has(fragment.language)) return from;
  for (let at = from; at < Math.min(to, from + 8); at++) {
    if (fragment.text(at) === "{" && (fragment.text(at - 1) === "]" || fragment.language === "go")) return at;
    if (fragment.text(at) === "(" && LISTS.test(fragment.text(at - 1))) return at;
  }
  return -1;
}
