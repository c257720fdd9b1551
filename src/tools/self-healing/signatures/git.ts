import { cause, within } from "./signature.ts";

export const git = within("git", [
  cause(
    "git-conflict",
    "configuration",
    /^CONFLICT \(|[Aa]utomatic merge failed|Merge conflict (?:in|marker)|needs merge$|^error: (?:could not apply|Your local changes)/,
    "CONFLICT (content): Merge conflict in src/cart.ts",
    93,
  ),
  cause(
    "git-dirty",
    "configuration",
    /(?:repository|checkout|working (?:tree|directory|copy)|git tree|workspace)\b.{0,40}\b(?:is |left )?dirty\b|(?:uncommitted|unstaged) changes|files? (?:were|was) modified by this hook/,
    "Git working directory is dirty.",
    90,
  ),
  cause(
    "git-reference",
    "configuration",
    /couldn't find remote ref (?<module>\S+)|reference is not a tree|not a git repository|did not match any file\(s\) known to git|unknown revision|refusing to merge unrelated|bad object|not our ref|is out of sync with/,
    "fatal: couldn't find remote ref refs/heads/release",
    93,
  ),
  cause(
    "git-rejected",
    "permission",
    /! \[(?:remote )?rejected\]|failed to push some refs|protected branch|Host key verification failed|Permission denied \(publickey|[Rr]epository not found/,
    "fatal: Could not read from remote repository: Host key verification failed.",
    95,
  ),
  cause(
    "git-submodule",
    "configuration",
    /(?:fatal|error): (?:No url found for submodule|Unable to find current revision in submodule)|clone of '.+' into submodule path '.+' failed/,
    "fatal: No url found for submodule path 'tax' in .gitmodules",
    94,
  ),
  cause(
    "git-lfs",
    "network",
    /smudge filter lfs failed|batch response: |Error downloading object/,
    "error: external filter 'git-lfs filter-process' failed: smudge filter lfs failed",
    88,
  ),
  cause(
    "git-fatal",
    undefined,
    /^(?:stderr: )?fatal: (?!error|\[)/,
    "fatal: ambiguous argument 'main..': no such thing",
    84,
  ),
]);
