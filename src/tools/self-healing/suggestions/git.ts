import { command, configuration, edit, retry, within } from "./suggestion.ts";

export const git = within("git", [
  command(
    { signatures: ["git-conflict"] },
    "git-resolve",
    "Merge the base branch and resolve the conflicts",
    "Both sides changed the same lines.",
    "git merge origin/HEAD && git mergetool",
  ),
  command(
    { signatures: ["git-dirty"] },
    "git-status",
    "Commit what the build generates, or ignore it",
    "A step of the build changes or adds files that the repository holds or does not ignore.",
    "git status --porcelain && git diff --stat",
  ),
  configuration(
    { signatures: ["git-reference"] },
    "git-depth",
    "Fetch the whole history",
    "A shallow clone lacks older commits, other branches and tags.",
    "git fetch --unshallow --tags",
  ),
  configuration(
    { signatures: ["git-rejected"], categories: ["permission"] },
    "git-credential",
    "Check the deploy key or token and its rights",
    "The server does not know the key, or it may not read or push here.",
    "ssh -T git@github.com",
  ),
  command(
    { signatures: ["permission-denied"] },
    "git-safe-directory",
    "Trust the working directory",
    "Git refuses repositories that belong to another user, as in containers.",
    'git config --global --add safe.directory "$PWD"',
  ),
  command(
    { signatures: ["git-submodule"] },
    "git-submodules",
    "Synchronise the submodules",
    "The address or the commit of a submodule changed.",
    "git submodule sync --recursive && git submodule update --init --recursive",
  ),
  retry(
    { categories: ["network"] },
    "git-retry",
    "Fetch again, shallow",
    "The connection broke; a smaller transfer survives more often.",
    "git -c http.postBuffer=524288000 fetch --depth 1",
  ),
  edit(
    { categories: ["configuration"] },
    "git-arguments",
    "Correct the branch, tag or path that the command names",
    "Git does not know what it was asked for.",
    "git branch --all --list && git tag --list",
  ),
]);
