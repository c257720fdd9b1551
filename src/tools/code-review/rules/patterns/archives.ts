import type { Sighting } from "../../finding.ts";
import { chainFrom } from "../../flow/chain.ts";
import { isCheckedLater } from "../../flow/guards/checked-later.ts";
import { staysBelow } from "../../flow/harmless/paths.ts";
import { LEVEL } from "../../flow/level.ts";
import { memberNamesOf } from "../../flow/provenance.ts";
import { receiverPath } from "../../flow/receivers.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import type { Sinks } from "../../taint/sink.ts";
import { seenCall } from "../sightings/sightings.ts";
import { reached } from "../sightings/sinks.ts";
import { isPartTaken } from "./part-of-path.ts";

export const OF_ARCHIVE = "The archive's own name for a member can lead out of the folder.";

/**
 * Finds unpacking that trusts the names of members, which an archive can choose freely.
 *
 * @param sinks calls that take the name of a file.
 */
export function* archives(fragment: Fragment, sinks: Sinks): Iterable<Sighting> {
  if (fragment.language === "python") yield* unfiltered(fragment);
  if (wordsOfArchives(fragment).length === 0) return;
  for (const { call, argument, variant, level } of reached(fragment, sinks, "path", memberNamesOf)) {
    if (level !== LEVEL.request || variant || isPartTaken(fragment, call)) continue;
    const isKept = staysBelow(fragment, call.name, argument) || isCheckedLater(fragment, call);
    if (!isKept) yield seenCall(fragment, call, { message: OF_ARCHIVE });
  }
}

/** `extractall()` of Python's tarfile. */
function* unfiltered(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsNamed("extractall")) {
    const isTar = /^(?:tar|tf|tarfile|archive|t)\b|tarfile/i.test(
      receiverPath(fragment, call.path, call.start),
    );
    const filtered = call.args.some(({ from }) => /^(?:filter|members)$/.test(fragment.text(from)));
    const message = "extractall() writes wherever the archive's members say, unless a filter forbids it.";
    if (isTar && !filtered) yield seenCall(fragment, call, { message });
  }
}

/** Words of programs that unpack archives. */
const OF_ARCHIVES = /[zZ]ip|ZIP|(?:^|_)tar(?:$|_|file|ball)|Tar|[jJ]ar(?![a-z])|[aA]rchive|[eE]ntr(?:y|ies)/;

/** Whether the name of an archive's member is part of a value, and nothing has made it harmless in a path. */
export function holdsMemberName(fragment: Fragment, range: Range): boolean {
  return wordsOfArchives(fragment).length > 0 && memberNamesOf(fragment).of(range) >= LEVEL.request;
}

const wordsOfArchives = oncePerFragment((fragment: Fragment) => fragment.wordsLike(OF_ARCHIVES));

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
