import { posix } from "node:path";

/** A name that test runners look for. */
const NAMED =
  /(?:[._-](?:test|tests|spec|e2e|cy)\.(?:[cm]?[jt]sx?)|(?:^|\/)test_[^/]*\.py|_test\.(?:py|go|rb)|(?:^|\/)(?:Test[A-Z][^/]*|[^/]*(?:Test|Tests|TestCase|IT))\.(?:java|kt)|_spec\.rb)$/;
/** Where Cargo looks for programs of tests. */
const CARGO_TEST = /(?:^|\/)tests\/(?:[^/]+|[^/]+\/main)\.rs$/;
const RUST_TESTS = /(?:^|[/_])tests?(?:\/|\.rs$)/;
const CODE = /\.(?:[cm]?[jt]sx?)$/;
const FOLDER = /(?:^|\/)(?:test|tests|__tests__|spec)\//;
/** In a folder of tests, what these use. */
const SUPPORT =
  /(?:^|\/)(?:support|supports|fixtures?|__fixtures__|helpers?|mocks?|__mocks__|utils?|common|data|lib|assets|setup|tmp|snapshots|__snapshots__)(?:\/|\.[cm]?[jt]s$)|\.d\.[cm]?ts$/;

/**
 * Which files a test runner would run: by their names; where none in a folder of tests is named so, all code in
 * it that is not what tests use.
 */
export function testsAmong(paths: readonly string[]): (path: string) => boolean {
  const folders = new Map<string, boolean>();
  for (const path of paths) {
    const folder = folderOf(path);
    if (folder !== undefined && CODE.test(path) && !folders.get(folder))
      folders.set(folder, NAMED.test(path));
  }
  return (path) => {
    if (NAMED.test(path)) return true;
    const folder = folderOf(path);
    if (folder === undefined || !CODE.test(path) || folders.get(folder) !== false) return false;
    return !SUPPORT.test(path.slice(folder.length));
  };
}

/**
 * In Rust, where tests stand in any file and have helpers beside them: what is named for tests and holds some,
 * and the root of a program of tests.
 */
export function isRustTest(
  path: string,
  { holdsTests, isModule }: { holdsTests: boolean; isModule: boolean },
): boolean {
  return holdsTests ? RUST_TESTS.test(path) : CARGO_TEST.test(path) && !isModule;
}

function folderOf(path: string): string | undefined {
  const match = FOLDER.exec(path);
  return match ? posix.join(path.slice(0, match.index), match[0]) : undefined;
}
