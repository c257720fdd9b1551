import { expect, it } from "vitest";
import { isInGit } from "../../../src/tools/pair/in-git.ts";
import { Path } from "../../../src/tools/pair/session-contract.ts";

it.each([
  ".git",
  ".git/config",
  "a/.GIT/hooks/pre-commit",
  "git~1/config",
  "GIT~2",
  ".git./config",
  ".git . /config",
  ".git::$INDEX_ALLOCATION/config",
  ".g\u200cit/config",
  "\ufeff.git/config",
])("%j is git's own on some file system, and no path of a session", (path) => {
  expect(isInGit(path)).toBe(true);
  expect(Path.safeParse(path).success).toBe(false);
});

it.each([
  ".gitignore",
  ".github/workflows/ci.yml",
  "git/config",
  "a.git/b",
  "git~x/a",
  ".git-blame-ignore-revs",
  "src/digit~1/a",
])("%j is a path of a session", (path) => {
  expect(isInGit(path)).toBe(false);
  expect(Path.safeParse(path).success).toBe(true);
});
