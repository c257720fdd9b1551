import { firstIndex } from "../../../../system/binary-search.ts";
import type { Language } from "../../language/language.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { LEVEL } from "../level.ts";
import { reachingOf } from "../reaching.ts";
import { receiverPath } from "../receivers.ts";
import { NOTHING, valueAt } from "../value.ts";
import type { Sources } from "./sources.ts";

/** The names that archives give their members, until they are joined to a path. */
export const ARCHIVES: Sources = {
  read(fragment, _target, paths, range) {
    if (paths.some((path) => isJoined(fragment, path))) return NOTHING;
    return holdsMemberName(fragment, range) ? valueAt(LEVEL.request) : undefined;
  },
  ends: isJoined,
  filling: () => undefined,
  isTakenOut: () => false,
  isWhole: () => false,
};

/** Calls among the sinks of paths (taint/*.json) that return one: the names that they are given are reported there. */
const JOINING: Partial<Record<Language, RegExp>> = {
  javascript: /^path(?:\.posix|\.win32)?\.(?:join|resolve)\(\)/,
  python: /(?:^|\.)path\.join\(\)|(?:^|\.)(?:Pure|Posix)?Path\(\)|\.joinpath\(\)/,
  ruby: /^File\.(?:join|expand_path)\b|^Rails\.(?:root|public_path)\.join\b/,
  rust: /(?:path|dir|root|base)\w{0,10}\.join\(\)/,
  java: /(?:^|\.)(?:File|Paths\.get|Path\.of|resolve)\(\)/,
  go: /(?:^|\.)filepath\.Join\(\)/,
  csharp: /(?:^|\.)Path\.Combine\(\)/,
};

function isJoined({ language }: Fragment, path: string): boolean {
  return JOINING[language]?.test(path) ?? false;
}

const MEMBER_NAME = /^(?:getName|getNameIndex|name|Name|FullName)$/;
/** Types of archive members, and packages and calls that return them. */
const ARCHIVE_TYPES =
  /^(?:(?:Zip|Tar|Jar|SevenZ|Archive)(?:Archive)?Entry|(?:archive\.)?(?:zip|tar)\.)|\.getNext\w{0,10}Entry\(\)/;
/** Maximum tokens from `range` on that are searched for what the loop iterates over. */
const MAX_LOOP = 12;

/** Whether a chain holds the name of an archive member itself: `entry.getName()`, `file.Name`, `entry.path`. */
function holdsMemberName(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    const { kind, partner } = fragment.tokens[index] ?? {};
    // What is passed to a call is followed by itself.
    if (kind === "open" && partner !== undefined && partner > index) index = partner;
    else if (isMemberNameAt(fragment, index)) return true;
  }
  return false;
}

function isMemberNameAt(fragment: Fragment, at: number): boolean {
  if (isWordOfMember(fragment, at)) return true;
  if (!MEMBER.has(fragment.text(at - 1)) || !MEMBER_NAME.test(fragment.text(at))) return false;
  if (reachingOf(fragment).guards.isChainTested(at - 2, at + 1, "path")) return false;
  // ZipArchive of PHP
  if (fragment.text(at) === "getNameIndex") return fragment.language === "php";
  const owner = fragment.text(at - 2);
  if (/^(?:getName|name)$/.test(fragment.text(at)) && fragment.language === "java" && /entry/i.test(owner))
    return true;
  if (ARCHIVE_TYPES.test(receiverPath(fragment, `${owner}.Name`, at - 2))) return true;
  if (isEntry(fragment, owner, at)) return true;
  if (fragment.language !== "go") return false;
  return isMemberParameter(fragment, owner, at) || isRangedOver(fragment, owner, at);
}

/** Whether a name stands for a member of an archive, or for its name: `entry.name`, `for name in archive.namelist()`. */
function isWordOfMember(fragment: Fragment, at: number): boolean {
  const { language } = fragment;
  if (!NAMING[language] || !fragment.isWord(at) || MEMBER.has(fragment.text(at - 1))) return false;
  const isMember = MEMBER.has(fragment.text(at + 1));
  const member = isMember ? fragment.text(at + 2) : "";
  if (language === "javascript" && member === "entryName") return true;
  const definition = fragment.names.definition(fragment.text(at), at);
  if (!definition || (isMember && !NAMING[language].test(member))) return false;
  const found = NAMED_BY[language]?.(fragment, definition, isMember) ?? false;
  const end = isMember ? at + 3 : at + 1;
  return found && !reachingOf(fragment).guards.isChainTested(at, end, "path");
}

/** Members of archive members that hold their names. */
const NAMING: Partial<Record<Language, RegExp>> = {
  javascript: /^(?:path|name|fileName)$/,
  python: /^(?:filename|name)$/,
  ruby: /^(?:name|full_name)$/,
  rust: /^name$/,
};
const NAMED_BY: Partial<
  Record<Language, (fragment: Fragment, given: Definition, isMember: boolean) => boolean>
> = {
  // `archive.on("entry", (header, stream) => …)`
  javascript(fragment, { parameter, function: scope }, isMember) {
    if (!isMember || !parameter || scope?.parameters[0] !== parameter) return false;
    const call = fragment.callAround(scope.start);
    return call?.name === "on" && fragment.text(call.args[0]?.from ?? -1) === "entry";
  },
  python(fragment, { kind, value: { from, to } }, isMember) {
    if (kind !== "each" || isUnpackedByLibrary(fragment, to)) return false;
    if (to === from + 1)
      return isMember && /^tarfile\./.test(receiverPath(fragment, `${fragment.text(from)}.`, from));
    const lists = fragment.text(to - 3);
    return isMember ? /^(?:infolist|getmembers)$/.test(lists) : /^(?:namelist|getnames)$/.test(lists);
  },
  // `zip.each do |entry|`
  ruby: (fragment, { kind }, isMember) =>
    isMember &&
    (kind === "each" || kind === "parameter") &&
    (fragment.words.has("Zip") || fragment.words.has("TarReader")),
  // `archive.by_index(i)`
  rust: (fragment, { kind, value }, isMember) =>
    isMember && kind === "assign" && fragment.texts(value).some((word) => /^by_(?:index|name)$/.test(word)),
};

/** Whether a function lets Python's own libraries unpack, and only lists or reads what they unpacked. */
function isUnpackedByLibrary(fragment: Fragment, at: number): boolean {
  const { from, to } = fragment.names.functionAt(at)?.body ?? { from: 0, to: fragment.tokens.length };
  const unpacking = unpackingIn(fragment);
  const next = unpacking[firstIndex(unpacking, (index) => index >= from)];
  return next !== undefined && next < to;
}

const unpackingIn = oncePerFragment((fragment: Fragment) =>
  [...fragment.callsOf(/^extract(?:all)?$/)].map(({ at }) => at).sort((a, b) => a - b),
);

/** `foreach (var entry in archive.Entries)` */
function isEntry(fragment: Fragment, name: string, at: number): boolean {
  const definition = fragment.names.definition(name, at);
  return definition?.kind === "each" && fragment.text(definition.value.to - 1) === "Entries";
}

/** `file *zip.File`, `header *tar.Header` */
function isMemberParameter(fragment: Fragment, name: string, at: number): boolean {
  const declared = fragment.names.definition(name, at)?.parameter?.declared;
  if (!declared) return false;
  return fragment.tokens
    .slice(declared.from, declared.to - 1)
    .some(
      ({ text }, index) => /^(?:zip|tar)$/.test(text) && fragment.text(declared.from + index + 1) === ".",
    );
}

/** Whether a name is that of a loop's variable before it: `for _, file := range archive.File`. */
function isRangedOver(fragment: Fragment, name: string, before: number): boolean {
  return (loopsOverMembers(fragment).get(name) ?? before) < before;
}

/** By the name of its variable, the first loop over an archive's members, in a hunk that deals with archives. */
const loopsOverMembers = oncePerFragment((fragment: Fragment) => {
  const first = new Map<string, number>();
  const archive = [...fragment.names.imports.values()].some((module) => /^archive\b/.test(module));
  if (!archive && !fragment.words.has("zip") && !fragment.words.has("tar")) return first;
  for (const at of fragment.words.get("range") ?? []) {
    if (!fragment.texts({ from: at, to: at + MAX_LOOP }).includes("File")) continue;
    for (const name of fragment.texts({ from: Math.max(0, at - 4), to: at - 1 }))
      if (!first.has(name)) first.set(name, at);
  }
  return first;
});
