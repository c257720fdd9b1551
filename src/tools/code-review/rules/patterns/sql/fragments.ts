import { chainFrom } from "../../../flow/chain.ts";
import { LEVEL } from "../../../flow/level.ts";
import { provenanceOf } from "../../../flow/provenance.ts";
import { reachingOf } from "../../../flow/reaching.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { isKeyword, LITERALS, MEMBER } from "../../../syntax/keywords.ts";
import { optionsOf } from "../../../syntax/options.ts";
import type { Range } from "../../../syntax/range.ts";

/** Maximum uses of a name that are searched for the call that runs its statement. */
const MAX_USES = 20;
/** SQL that precedes a value, not a clause. */
const BEFORE_VALUE = /(?:['"%]|[=<>]|\b(?:like|in|values|limit|offset)\b)[\s(]{0,8}$/i;
/** General calls that return a text of their input or from elsewhere, not a clause of the project. */
const TEXT_CALLS =
  /^(?:trim\w{0,5}|replace(?:All)?|toString|concat|join|slice|substr(?:ing)?|split|to(?:Lower|Upper)Case|stringify|parse|format|get|get(?:Item|Parameter|Attribute|Value)|at|pop|shift|map|filter|reduce|sort|reverse|flat|pad(?:Start|End)|repeat|charAt|match|normalize|prompt|read\w{0,20}|fetch|json|text|valueOf|keys|values|entries)$/;
const GLOBALS =
  /^(?:String|JSON|Object|Array|Buffer|Reflect|Symbol|URL|URLSearchParams|(?:en|de)codeURI(?:Component)?|escape|unescape|require|process|window|document)$/;
/** Names by which a project imports its own modules. */
const OWN_MODULE = /^(?:\.{1,2}\/|@\/|~\/?|#|src\/|lib\/|app\/)/;
/** Options that say how a call runs and bind no values. */
const SETTINGS =
  /^(?:type|transaction|raw|plain|logging|model|mapToModel|nest|timeout|autoCommit|outFormat|name)$/;
const CALLBACK = /^(?:function|async|cb|callback|done|next|resolve)$/;

/**
 * Whether a statement gets clauses from functions of the project, while its values are passed as parameters:
 * `rawQuery(\`select … ${filterQuery}\`, queryParams)`.
 */
export function isOfOwnFragments(fragment: Fragment, texts: readonly Range[]): boolean {
  return (
    fragment.language === "javascript" &&
    texts.every((text) => isRunWithParameters(fragment, text) && holdsOwnFragments(fragment, text))
  );
}

function isRunWithParameters(fragment: Fragment, { from, to }: Range): boolean {
  const name = fragment.text(from - 1) === "=" && fragment.isWord(from - 2) ? fragment.text(from - 2) : "";
  const uses = name === "" ? [] : (fragment.words.get(name) ?? []).filter((at) => at > to).slice(0, MAX_USES);
  return [from, ...uses].some((at) => {
    const call = fragment.callAround(at);
    const [first, second] = call?.args ?? [];
    return first !== undefined && first.from === at && second !== undefined && isParameters(fragment, second);
  });
}

function isParameters(fragment: Fragment, range: Range): boolean {
  const { from } = range;
  if (CALLBACK.test(fragment.text(from)) || fragment.names.functionsByStart.has(from)) return false;
  if (fragment.text(from) !== "{") return fragment.isWord(from) || fragment.text(from) === "[";
  const options = optionsOf(fragment, [range]);
  return options.length === 0 || options.some(({ name }) => !SETTINGS.test(name));
}

function holdsOwnFragments(fragment: Fragment, { from, to }: Range): boolean {
  let found = false;
  for (let at = from; at < to; at++) {
    const { kind, text } = fragment.tokens[at] as { kind: string; text: string };
    if (kind !== "word" || isKeyword("javascript", text) || LITERALS.has(text)) continue;
    if (MEMBER.has(fragment.text(at - 1))) continue;
    const chain = chainFrom(fragment, at, to, "query");
    const range = { from: at, to: chain.end };
    // The condition of a choice does not become part of the statement.
    const isAsked = fragment.text(chain.end) === "?";
    if (!isAsked && provenanceOf(fragment, "query").of(range) > LEVEL.literal) {
      if (!isOwnFragment(fragment, chain.path, at) || BEFORE_VALUE.test(fragment.text(at - 2))) return false;
      found = true;
    }
    at = chain.end - 1;
  }
  return found;
}

function isOwnFragment(fragment: Fragment, path: string, at: number): boolean {
  if (path.includes("(")) return isOwnCall(fragment, path, at);
  const definitions = reachingOf(fragment).definitions(fragment.text(at), at);
  return (
    definitions.length > 0 &&
    definitions.every(({ kind, value }) => {
      const from = fragment.text(value.from) === "await" ? value.from + 1 : value.from;
      if (kind !== "assign" || !fragment.isWord(from)) return false;
      const given = chainFrom(fragment, from, value.to);
      return given.end === value.to && isOwnCall(fragment, given.path, from);
    })
  );
}

function isOwnCall(fragment: Fragment, path: string, at: number): boolean {
  const first = fragment.text(at);
  const last = /(\w{1,80})\(\)$/.exec(path)?.[1];
  if (last === undefined || TEXT_CALLS.test(last) || GLOBALS.test(first)) return false;
  const origin = fragment.names.imports.get(first);
  if (origin !== undefined) return OWN_MODULE.test(origin);
  return reachingOf(fragment)
    .definitions(first, at)
    .every(({ kind }) => kind === "assign");
}
