import { posix } from "node:path";

/** File names that test runners recognise. */
const NAMED =
  /(?:[._-](?:test|tests|spec|e2e|cy)\.(?:[cm]?[jt]sx?)|(?:^|\/)test_[^/]*\.py|_test\.(?:py|go|rb)|(?:^|\/)(?:Test[A-Z][^/]*|[^/]*(?:Test|Tests|TestCase|IT))\.(?:java|kt)|(?:^|\/)(?:test|\w{1,40}Test)\/(?:[^/]+\/)*[^/]*Spec\.kt|(?:^|\/)(?:test|it)\/(?:[^/]+\/)*[^/]*(?:Tests?|Specs?|Suite|Properties)\.scala|(?:^|\/)[^/]*Tests?\/(?:[^/]+\/)*[^/]*(?:Tests?|Spec)\.swift|(?:^|\/)(?:test|integration_test)\/(?:[^/]+\/)*[^/]*_test\.dart|Tests?\.cs|Test\.php|(?:(?:^|\/)(?:test|spec)\/(?:[^/]+\/)*[^/]*|^[^/]*)_spec\.rb|(?:^|\/)(?:test|spec)\/(?:[^/]+\/)*(?:test|spec)_(?!helper\.)[^/]*\.rb|(?:(?:^|\/)tests?[-_][^/]*|[^/]*(?:[-_.]tests?|_unittest|Tests?))\.(?:c|cc|cpp|cxx))$/;
/** Files that Cargo discovers as roots of test programs. */
const CARGO_TEST = /(?:^|\/)tests\/(?:[^/]+|[^/]+\/main)\.rs$/;
const RUST_TESTS = /(?:^|[/_])tests?(?:\/|\.rs$)/;
const CODE = /\.(?:[cm]?[jt]sx?|c|cc|cpp|cxx)$/;
const FOLDER = /(?:^|\/)(?:test|tests|__tests__|spec)\//;
/** Helpers of tests, in a test folder. */
const SUPPORT =
  /(?:^|\/)(?:support|supports|fixtures?|__fixtures__|helpers?|mocks?|__mocks__|utils?|common|data|lib|assets|setup|tmp|snapshots|__snapshots__)(?:\/|\.[cm]?[jt]s$)|\.d\.[cm]?ts$/;

/**
 * Returns a predicate for the files that a test runner would run. Tests are recognised by name. In a test folder
 * without such names, all code counts except helpers.
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
 * Whether a Rust file is a test. Tests may be in any file, next to helpers, so the file must contain tests and be named
 * for them, or be the root of a test program.
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
