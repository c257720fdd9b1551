import type { Sighting } from "../../finding.ts";
import { receiverPath } from "../../flow/receivers.ts";
import type { Language } from "../../language/language.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { seenCall } from "../sightings/sightings.ts";

const UNPACKING = /^(?:extractall|File|resolve|get|Join|Create|OpenFile|MkdirAll|Combine|ExtractToFile)$/;

/** Archives name their members as they like. */
export function* archives(fragment: Fragment): Iterable<Sighting> {
  const { language } = fragment;
  for (const call of fragment.callsOf(UNPACKING)) {
    const python =
      language === "python" &&
      call.name === "extractall" &&
      /^(?:tar|tf|tarfile|archive|t)\b|tarfile/i.test(call.path);
    if (python) {
      const filtered = call.args.some(({ from }) => /^(?:filter|members)$/.test(fragment.text(from)));
      const message = "extractall() writes wherever the archive's members say, unless a filter forbids it.";
      if (!filtered) yield seenCall(fragment, call, { message });
    }
    const entry =
      UNPACKED[language]?.test(call.name) && call.args.some((range) => holdsEntryName(fragment, range));
    if (entry)
      yield seenCall(fragment, call, {
        message: "The archive's own name for a member can lead out of the folder.",
      });
  }
}

/** Calls that name a file, by the languages whose libraries leave a member's name as the archive has it. */
const UNPACKED: Partial<Record<Language, RegExp>> = {
  java: /^(?:File|resolve|get)$/,
  go: /^(?:Join|Create|OpenFile|MkdirAll)$/,
  csharp: /^(?:Combine|ExtractToFile)$/,
};
const MEMBER_NAME = /^(?:getName|Name|FullName)$/;
/** Types whose values are members of archives, and packages that hand them out. */
const ARCHIVES =
  /^(?:(?:Zip|Tar|Jar|SevenZ|Archive)(?:Archive)?Entry|(?:archive\.)?(?:zip|tar)\.)|\.getNext\w{0,10}Entry\(\)/;
/** Tokens before a loop's member that may hold what it goes through. */
const MAX_LOOP = 12;

/** `entry.getName()`, `file.Name` of what an archive holds. */
function holdsEntryName(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    if (!MEMBER_NAME.test(fragment.text(index)) || fragment.text(index - 1) !== ".") continue;
    const owner = fragment.text(index - 2);
    if (fragment.text(index) === "getName" && /entry/i.test(owner)) return true;
    if (ARCHIVES.test(receiverPath(fragment, `${owner}.Name`, index - 2))) return true;
    if (isEntry(fragment, owner, index)) return true;
    if (fragment.language !== "go") continue;
    if (isMemberParameter(fragment, owner, index) || isRangedOver(fragment, owner, index)) return true;
  }
  return false;
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

/** `for _, file := range archive.File`, where the file reads archives. */
function isRangedOver(fragment: Fragment, name: string, before: number): boolean {
  const archive = [...fragment.names.imports.values()].some((module) => /^archive\b/.test(module));
  if (!archive && !fragment.words.has("zip") && !fragment.words.has("tar")) return false;
  return (fragment.words.get("range") ?? []).some(
    (at) =>
      at < before &&
      Array.from({ length: 3 }, (_, back) => fragment.text(at - 2 - back)).includes(name) &&
      Array.from({ length: MAX_LOOP }, (_, ahead) => fragment.text(at + ahead)).includes("File"),
  );
}
