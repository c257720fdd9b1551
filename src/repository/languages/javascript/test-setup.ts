import { posix } from "node:path";
import type { Target } from "../../facts.ts";
import { nearest } from "../../files/nearest.ts";
import { testsAmong } from "../../tests/tests-among.ts";
import { fileTarget, type Project } from "../language.ts";

/** Configuration of vitest, jest and Playwright; package.json may hold jest's. */
const CONFIG =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright)(?:[.-][\w-]+){0,3}\.(?:[cm]?[jt]s|json)|package\.json)$/;
/** Options that name files which run before or after the tests. A line that begins as a comment does not match. */
const SETUP =
  /(?:^|[{,(])[ \t]*["']?(?:setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown)["']?[ \t]*:\s{0,99}(\[[^\]]{0,2000}\]|[^\n\]}]{0,300})/gm;
const ROOT = /(?:^|[{,(])[ \t]*["']?(?:root|rootDir)["']?[ \t]*:[ \t]*["']([\w.][\w./-]{0,100})["']/m;
const TEXT = /["'`](?:<rootDir>\/?)?([^"'`\n$<>]{1,300})["'`]/g;

/**
 * Resolves what a test needs without importing it: the files that the nearest configuration of its runner has run
 * before the tests, or after them.
 */
export function testSetup(
  { paths, text }: Pick<Project, "paths" | "text">,
  fileAt: (path: string) => string | undefined,
): (path: string) => Target[] {
  const setups = new Map<string, Set<string>>();
  for (const path of paths) {
    if (!CONFIG.test(path)) continue;
    const content = text(path) ?? "";
    const directory = posix.dirname(path);
    const root = posix.join(directory, ROOT.exec(content)?.[1] ?? ".");
    for (const [, value = ""] of content.matchAll(SETUP)) {
      for (const [, named = ""] of value.matchAll(TEXT)) {
        const file = fileAt(posix.join(root, named)) ?? fileAt(posix.join(directory, named));
        if (file !== undefined) setups.set(root, (setups.get(root) ?? new Set()).add(file));
      }
    }
  }
  if (setups.size === 0) return () => [];
  const isTest = testsAmong([...paths]);
  const all = new Set([...setups.values()].flatMap((files) => [...files]));
  return (path) => {
    const root = isTest(path) && !all.has(path) ? nearest(setups, path) : undefined;
    return root === undefined ? [] : [...(setups.get(root) as Set<string>)].map(fileTarget);
  };
}
