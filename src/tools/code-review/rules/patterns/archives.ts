import { firstIndex } from "../../../../system/binary-search.ts";
import type { Sighting } from "../../finding.ts";
import { chainFrom } from "../../flow/chain.ts";
import { isCheckedLater } from "../../flow/guards/checked-later.ts";
import { reachingOf } from "../../flow/reaching.ts";
import { receiverPath } from "../../flow/receivers.ts";
import { makesHarmless } from "../../flow/sanitizers.ts";
import type { Language } from "../../language/language.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { seenCall } from "../sightings/sightings.ts";

export const OF_ARCHIVE = "The archive's own name for a member can lead out of the folder.";

const UNPACKING =
  /^(?:extractall|File|resolve|get|[jJ]oin|Create|OpenFile|MkdirAll|Combine|ExtractToFile|Path|expand_path)$/;

/** Finds unpacking that trusts the names of members, which an archive can choose freely. */
export function* archives(fragment: Fragment): Iterable<Sighting> {
  const { language } = fragment;
  for (const call of fragment.callsOf(UNPACKING)) {
    const python =
      language === "python" &&
      call.name === "extractall" &&
      /^(?:tar|tf|tarfile|archive|t)\b|tarfile/i.test(receiverPath(fragment, call.path, call.start));
    if (python) {
      const filtered = call.args.some(({ from }) => /^(?:filter|members)$/.test(fragment.text(from)));
      const message = "extractall() writes wherever the archive's members say, unless a filter forbids it.";
      if (!filtered) yield seenCall(fragment, call, { message });
    }
    const entry =
      UNPACKED[language]?.test(call.name) && call.args.some((range) => holdsEntryName(fragment, range));
    if (entry && !isCheckedLater(fragment, call)) yield seenCall(fragment, call, { message: OF_ARCHIVE });
  }
}

/** Calls that take the name of a file, in languages whose libraries do not sanitize the names of members. */
const UNPACKED: Partial<Record<Language, RegExp>> = {
  javascript: /^(?:join|resolve)$/,
  python: /^(?:join|Path)$/,
  ruby: /^(?:join|expand_path)$/,
  rust: /^join$/,
  java: /^(?:File|resolve|get)$/,
  go: /^(?:Join|Create|OpenFile|MkdirAll)$/,
  csharp: /^(?:Combine|ExtractToFile)$/,
};
const MEMBER_NAME = /^(?:getName|Name|FullName)$/;
/** Types of archive members, and packages and calls that return them. */
const ARCHIVES =
  /^(?:(?:Zip|Tar|Jar|SevenZ|Archive)(?:Archive)?Entry|(?:archive\.)?(?:zip|tar)\.)|\.getNext\w{0,10}Entry\(\)/;
/** Maximum tokens from `range` on that are searched for what the loop iterates over. */
const MAX_LOOP = 12;

/** Whether a value holds the name of an archive member: `entry.getName()`, `file.Name`, or a variable with it. */
export function holdsEntryName(fragment: Fragment, { from, to }: Range, isFollowed = false): boolean {
  for (let index = from; index < to; index++) {
    const open = fragment.tokens[index + 1];
    // `filepath.Base(file.Name)`
    if (open?.text === "(" && makesHarmless(fragment.text(index), fragment.text(index), "path")) {
      index = Math.max(index, open.partner);
      continue;
    }
    if (!isFollowed && isGivenEntryName(fragment, index)) return true;
    if (isWordOfMember(fragment, index)) return true;
    if (!MEMBER_NAME.test(fragment.text(index)) || fragment.text(index - 1) !== ".") continue;
    if (reachingOf(fragment).guards.isChainTested(index - 2, index + 1, "path")) continue;
    const owner = fragment.text(index - 2);
    if (fragment.text(index) === "getName" && /entry/i.test(owner)) return true;
    if (ARCHIVES.test(receiverPath(fragment, `${owner}.Name`, index - 2))) return true;
    if (isEntry(fragment, owner, index)) return true;
    if (fragment.language !== "go") continue;
    if (isMemberParameter(fragment, owner, index) || isRangedOver(fragment, owner, index)) return true;
  }
  return false;
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

/** `name := file.Name`. A path that was joined from one is reported at the joining call. */
function isGivenEntryName(fragment: Fragment, at: number): boolean {
  if (!fragment.isWord(at) || MEMBER.has(fragment.text(at - 1)) || MEMBER.has(fragment.text(at + 1)))
    return false;
  const name = fragment.text(at);
  const reaching = reachingOf(fragment);
  const definitions = reaching.definitions(name, at);
  const [only] = definitions;
  if (only?.kind !== "assign" || definitions.length > 1) return false;
  const { value } = only;
  for (let index = value.from; index < value.to; index++)
    if (UNPACKING.test(fragment.text(index))) return false;
  return holdsEntryName(fragment, value, true) && !reaching.guards.isTested(name, at, definitions, "path");
}

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

/** What a file that is open already comes from: `request.files["a"]`, `io.BytesIO(data)`. */
const OPEN_FILE =
  /^(?:io\.)?(?:Bytes|String)IO\(\)$|\.(?:files|FILES)(?:\[\]|\.get\(\))(?:\.(?:file|stream))?$/;

/** Whether a Python argument is an open file, not the name of one. */
export function isOpenFile(fragment: Fragment, { from, to }: Range, isFollowed = false): boolean {
  if (fragment.language !== "python" || !fragment.isWord(from)) return false;
  if (fragment.text(from) === "fileobj" && fragment.text(from + 1) === "=") return true;
  const { path, end } = chainFrom(fragment, from, to);
  if (end !== to) return false;
  if (OPEN_FILE.test(path)) return true;
  const given = isFollowed ? undefined : fragment.names.definition(path, from);
  return given?.kind === "assign" && isOpenFile(fragment, given.value, true);
}
