/** Characters that HFS+ of macOS leaves out of names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/**
 * The names of git's own directory: also as NTFS reads them, without dots and blanks at the end (`.git.`), shortened
 * (`git~1`) and with a stream (`.git::$INDEX_ALLOCATION`).
 */
const NAMES = /^(?:\.git|git~\d+)[. ]*(?::|$)/i;

/**
 * Whether a path with forward slashes leads into `.git` on Linux, macOS or Windows. Git runs programs that are named
 * there, so it is no place for what other participants write. See `core.protectHFS` and `core.protectNTFS` of git.
 */
export function isInGit(path: string): boolean {
  return path.split("/").some((name) => NAMES.test(name.replace(IGNORED, "")));
}
